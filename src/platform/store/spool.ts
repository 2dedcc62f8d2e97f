// The spool: results that were paid for, kept in files until they are in the log. Only a writer loads it.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Spool } from "../../core/contract/index.ts";
import { makeFolder, writeDurably } from "../system/index.ts";
import { sha256 } from "./hashing.ts";
import { checkRunId } from "./ids.ts";

export function createSpool(stateDir: string): Spool {
  const folder = join(stateDir, "spool");
  const fileOf = (runId: string, key: string): string =>
    join(folder, `${checkRunId(runId)}.${sha256(Buffer.from(key)).slice(0, 16)}.json`);
  return {
    put(runId, key, value) {
      makeFolder(folder);
      const file = fileOf(runId, key);
      writeDurably(file, `${file}.${process.pid}`, Buffer.from(JSON.stringify({ key, value })));
    },
    find(runId, key) {
      const file = fileOf(runId, key);
      if (!existsSync(file)) return undefined;
      const found: unknown = JSON.parse(readFileSync(file, "utf8"));
      return typeof found === "object" && found !== null && "value" in found ? found.value : undefined;
    },
    drop: (runId, key) => rmSync(fileOf(runId, key), { force: true }),
  };
}
