// Makes the golden store of the current version: `node tests/store/make-golden.ts`. Run once for a version, then kept.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/platform/store/index.ts";
import { schemaVersion } from "../../src/platform/store/schema.ts";
import { clock, contentOf, fill } from "./sample.ts";
import { removeFolder } from "../support/remove-folder.ts";

const target = join(import.meta.dirname, "fixtures", `v${schemaVersion}`);
const dir = mkdtempSync(join(tmpdir(), "golden-"));
const writer = openStore(dir, { clock });
await fill(writer);
await writer.close();
const store = openStore(dir, { clock, mode: "read" });
const content = await contentOf(store);
await store.close();
rmSync(join(dir, "store.db-wal"), { force: true });
rmSync(join(dir, "store.db-shm"), { force: true });
rmSync(join(dir, "artifacts", "tmp"), { recursive: true });
removeFolder(target);
mkdirSync(target, { recursive: true });
cpSync(dir, join(target, "store"), { recursive: true });
writeFileSync(join(target, "content.json"), `${JSON.stringify(content, undefined, 2)}\n`);
removeFolder(dir);
