// The door to the watch over a shared git folder: copied before a worker starts, put back when it ends.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../../platform/system/index.ts";
import type { Repository } from "../../../platform/git/index.ts";
import { stateSubfolder } from "../worktree/index.ts";

import { copySteering, restoreSteering, steeringSchema } from "./steering-files.ts";

const fileOf = (repository: Repository, runId: string): string =>
  join(stateSubfolder(repository, "watch"), `${runId}.git.json`);

/** Durable, so that a worker whose runtime died is still found out. A watch that is already kept stays. */
export function watchGitFolder(repository: Repository, runId: string): void {
  const file = fileOf(repository, runId);
  if (existsSync(file)) return;
  const bytes = Buffer.from(JSON.stringify(copySteering(repository.commonDir)));
  writeDurably(file, `${file}.${process.pid}.tmp`, bytes);
}

/** Files as they were found, when they were put back. */
export const asideFolder = (repository: Repository, runId: string): string =>
  join(stateSubfolder(repository, "watch"), `${runId}.changed`);

/** Ends the watch: puts back each file that the worker changed, and gives their paths below the common git folder. */
export function endGitFolderWatch(repository: Repository, runId: string, written?: readonly string[]): string[] {
  const file = fileOf(repository, runId);
  if (!existsSync(file)) return [];
  const before = steeringSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const aside = asideFolder(repository, runId);
  const changed = restoreSteering(repository.commonDir, before, { written, aside });
  rmSync(file, { force: true });
  return changed;
}
