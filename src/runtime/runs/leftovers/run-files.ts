// Files beside the record, one for each run: what a process in the background said last, and the text of a pull request. They
// go with their run, and when they are old.
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../../../platform/system/index.ts";
import type { Leftover } from "./choose.ts";

const kinds = [
  ["detached", ".log"],
  ["requests", ".md"],
] as const;

const isOurs = (name: string, end: string): boolean => /^run_[a-z0-9]+$/.test(name.slice(0, -end.length));

export const runFiles = (stateDir: string): Leftover[] =>
  kinds.flatMap(([folder, end]) => {
    const at = join(stateDir, folder);
    if (!entryAt(at)?.isDirectory()) return [];
    const names = readdirSync(at).filter((name) => name.endsWith(end) && isOurs(name, end));
    return names.flatMap((name): Leftover[] => {
      const path = join(at, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found?.isFile() ? [{ path, bytes: found.size, at: found.mtimeMs }] : [];
    });
  });

export function removeRunFiles(stateDir: string, runId: string): void {
  for (const [folder, end] of kinds) rmSync(join(stateDir, folder, `${runId}${end}`), { force: true });
}
