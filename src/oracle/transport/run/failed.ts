// What a run that failed or was stopped leaves in its result: the reason, the text so far, and a patch without a commit.
import type { ResultBuilder } from "../result/draft.ts";
import type { LiveRecord } from "../sessions/record.ts";
import type { AnswerFile } from "./answer-file.ts";
import type { RunDeadline } from "./deadline.ts";

interface FailedRun {
  readonly live: LiveRecord;
  readonly draft: ResultBuilder;
  readonly stop: RunDeadline;
  readonly answerFile: AnswerFile;
  readonly log: (line: string) => void;
}

export function recordFailure({ live, draft, stop, answerFile, log }: FailedRun, error: unknown): void {
  const stopped = stop.verdict(live.folder.id);
  if (stopped) draft.set(stopped);
  else draft.fail(error);
  reportUncommitted(draft);
  const { error: reported } = draft.result;
  log(`${reported?.code ?? "error"}: ${reported?.message ?? ""}`);
  if (reported?.code === "internal_error" && error instanceof Error) log(error.stack ?? error.message);
  if (draft.result.answerPath !== null) return;
  try {
    draft.set({ answerPath: answerFile.unfinished(), responseChars: answerFile.charsSoFar });
  } catch (cause) {
    log(`the text so far could not be stored: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** A patch that is in the tree without a commit is reported, however the run ended. */
function reportUncommitted(draft: ResultBuilder): void {
  const { treeHoldsPatch, commitSha, applyMode, error } = draft.result;
  if (treeHoldsPatch && commitSha === null && applyMode === "commit")
    draft.set({ status: "commit_failed", diffApplied: false, gitCommitError: error?.message ?? "stopped" });
}
