// Records the stories as this version plays them: `node tests/histories/record.ts 0.1.0`, as a part of each release; or
// only those that are named: `node tests/histories/record.ts 0.1.0 criticised`.
// `node tests/histories/record.ts 0.1.0 --views` writes only the digests of the views again, after a view was changed.
// The recorded history of a released version is never changed. Before the release its folder may be removed and recorded
// again.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { stories } from "./stories.ts";
import { outcomeOf } from "./outcome.ts";
import { readHistory } from "./recorded.ts";
import { viewsDigest } from "./views.ts";

const version = process.argv[2];
if (!version || !/^[0-9]+\.[0-9]+\.[0-9]+$/.test(version))
  throw new Error("The version to record is missing, e.g. 0.1.0.");
const folder = join(import.meta.dirname, version);
mkdirSync(folder, { recursive: true });
const onlyViews = process.argv.includes("--views");
const named = process.argv.slice(3).filter((word) => word !== "--views");
for (const [name, tell] of Object.entries(stories)) {
  if (onlyViews || (named.length > 0 && !named.includes(name))) continue;
  const file = join(folder, `${name}.jsonl`);
  if (existsSync(file)) throw new Error(`${file} exists; a recorded history is never changed.`);
  const { log, run } = tell();
  writeFileSync(file, log.map((recorded) => `${JSON.stringify(recorded)}\n`).join(""));
  writeFileSync(join(folder, `${name}.outcome.json`), `${JSON.stringify(outcomeOf(run), null, 2)}\n`);
}

const digests = Object.keys(stories)
  .filter((name) => existsSync(join(folder, `${name}.jsonl`)))
  .map((name) => [name, viewsDigest(readHistory(join(folder, `${name}.jsonl`)))]);
writeFileSync(join(folder, "views.json"), `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`);
