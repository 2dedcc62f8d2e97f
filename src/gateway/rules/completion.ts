// The rule of a completion: one for each run, whatever id a later call has.
import type { ToolResult } from "./ledger.ts";

const runStatuses = ["running", "succeeded", "failed", "needs_human", "timed_out"] as const;
export type RunStatus = (typeof runStatuses)[number];

export interface RunFacts {
  readonly sessionId: string;
  readonly status: RunStatus;
  readonly completionId: string | null;
  /** The hash of the canonical arguments that completed it. */
  readonly completionHash: string | null;
}

export interface AskedCompletion {
  readonly sessionId: string;
  readonly completionId: string;
  readonly hash: string;
}

const refuse = (result: string) => ({ complete: false, result: { success: false, result } }) as const;

export function decideCompletion(
  run: RunFacts | undefined,
  asked: AskedCompletion,
): { readonly complete: boolean; readonly result: ToolResult } {
  if (!run) return refuse("Run not found.");
  if (run.sessionId !== asked.sessionId) return refuse("This run belongs to another session.");
  const done = { success: true, result: "Automation run completed." };
  if (run.completionId !== null) {
    if (run.completionId !== asked.completionId) return refuse("This run was completed already.");
    return run.completionHash === asked.hash
      ? { complete: false, result: done }
      : refuse("This run was completed already, with other arguments.");
  }
  if (run.status !== "running") return refuse(`This run has ended already: ${run.status}.`);
  return { complete: true, result: done };
}
