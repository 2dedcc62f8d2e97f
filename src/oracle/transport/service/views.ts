// Sessions as the surfaces see them.
import { existsSync, readFileSync } from "node:fs";
import { fail } from "../../../core/contract/index.ts";
import type { RunOutcome, SessionView } from "../../../core/contract/transport/index.ts";
import type { SessionFolder } from "../sessions/folder.ts";
import { type SessionState, readSession } from "../sessions/read.ts";

export const viewOf = (folder: SessionFolder, seen: SessionState): SessionView => ({
  ...seen,
  folder: folder.dir,
});

const textAt = (path: string | null) =>
  path !== null && existsSync(path) ? readFileSync(path, "utf8") : null;

export function outcomeOf(
  folder: SessionFolder,
  seen: SessionState,
  problems: RunOutcome["problems"] = [],
): RunOutcome {
  const { result } = seen;
  if (result === null)
    return fail("conflict", `Session "${folder.id}" has not ended.`, {
      remedy: `Follow it with: oracle attach ${folder.id}`,
    });
  return {
    ...seen,
    result,
    folder: folder.dir,
    answer: textAt(result.answerPath),
    diff: textAt(result.diffPath),
    problems,
  };
}

export const lookAtSessionNow = (folder: SessionFolder, now: () => number) =>
  viewOf(folder, readSession(folder, now()));
