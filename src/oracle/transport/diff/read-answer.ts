// The worth of an answer: the diff in it, and the status a run would end with if nothing else happened.
import type { Answer, ResultStatus, RunRequest } from "../../../core/contract/transport/index.ts";
import { type SelectedDiff, selectDiff } from "../../../core/patch/reply/index.ts";

export interface AnswerVerdict {
  readonly status: ResultStatus;
  readonly diff: SelectedDiff | null;
  /** One sentence for the follow-up and the log. */
  readonly reason: string;
  /** Asking again in the same conversation can help. */
  readonly retry: boolean;
}

const missing = new Set<string>(["empty", "no_fenced_blocks", "no_diff_block"]);

export function readAnswer(answer: Answer, diff: RunRequest["diff"]): AnswerVerdict {
  const unproved = `the answer is not complete (${answer.incompleteReason ?? "unproved"})`;
  if (!diff.active)
    return answer.complete
      ? { status: "success", diff: null, reason: "answered", retry: false }
      : { status: "partial", diff: null, reason: unproved, retry: false };
  const selected = selectDiff(answer.text, {
    strict: diff.strict,
    ...(diff.restrictPrefix === null ? {} : { restrictPathPrefix: diff.restrictPrefix }),
  });
  if (selected.partial) return { status: "partial", diff: selected, reason: selected.message, retry: true };
  // A closed block in an answer that was cut may still be half of the change: never taken.
  if (!answer.complete) return { status: "partial", diff: selected, reason: unproved, retry: true };
  if (selected.valid) return { status: "success", diff: selected, reason: "the diff is valid", retry: false };
  const status = missing.has(selected.reason) ? "diff_missing" : "invalid_diff";
  return { status, diff: selected, reason: selected.message, retry: true };
}
