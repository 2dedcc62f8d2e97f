// Measures every set that is found in the given folders, and writes docs/measured.md.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { loadJudge } from "../../tests/support/commands/load.ts";
import { type Measured, measure, readCases } from "./count.ts";
import { page } from "./page.ts";
import { type MeasuredSet, ownSets, sets } from "./sets.ts";

const root = join(import.meta.dirname, "../..");
const folders = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const onlyPrint = process.argv.includes("--print");

const missing = folders.filter((folder) => !existsSync(folder));
if (folders.length === 0 || missing.length > 0) {
  console.error(
    missing.length > 0
      ? `measure: there is no folder ${missing.join(", ")}.`
      : "measure: give the folders with the sets: npm run measure -- FOLDER…",
  );
  console.error(`It reads these files there: ${sets.map(({ file }) => `${file}.jsonl`).join(", ")}`);
  process.exit(2);
}

const judge = await loadJudge();
const from = (list: readonly MeasuredSet[], places: readonly string[]): Measured[] =>
  list.flatMap((set) => {
    const path = places.map((folder) => join(folder, `${set.file}.jsonl`)).find((one) => existsSync(one));
    return path === undefined ? [] : [measure(set, readCases(path), judge)];
  });

const results = from(sets, folders);
if (results.length === 0) {
  console.error("measure: none of the folders holds a set that is known.");
  process.exit(2);
}
for (const { set, labels } of results)
  if (labels.length > 0) console.error(`measure: ${set.file} has labels without a meaning: ${labels.join(", ")}`);
const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
const text = page(results, from(ownSets, [join(root, "tests/corpus")]), {
  date: new Date().toISOString().slice(0, 10),
  commit,
});
if (onlyPrint) process.stdout.write(text);
else {
  writeFileSync(join(root, "docs/measured.md"), text);
  console.log(`Wrote docs/measured.md: ${results.length} sets.`);
}
