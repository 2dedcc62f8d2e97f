// The rule of exactly once: from the row of a call, if there is one, follows the one thing to do.

const callStates = ["executing", "succeeded", "failed", "in_doubt"] as const;
export type CallState = (typeof callStates)[number];

export interface ToolResult {
  readonly success: boolean;
  readonly result: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface CallRow {
  readonly tool: string;
  readonly argsHash: string;
  readonly state: CallState;
  readonly leaseUntil: number;
  readonly fence: number;
  readonly result: ToolResult | null;
}

export interface AskedCall {
  readonly tool: string;
  readonly argsHash: string;
}

export type CallDecision =
  /** Nobody had this call before. */
  | { readonly kind: "run" }
  | { readonly kind: "replay"; readonly result: ToolResult }
  /** The id was used with another tool or other arguments. */
  | { readonly kind: "conflict" }
  | { readonly kind: "wait" }
  /** The owner is gone: reconcile first, under the next fence. */
  | { readonly kind: "take_over"; readonly fence: number };

/** `ownerAlive` is undefined when it cannot be known from here: then only the lease decides. */
export function decideCall(
  row: CallRow | undefined,
  asked: AskedCall,
  now: number,
  ownerAlive?: boolean,
): CallDecision {
  if (!row) return { kind: "run" };
  if (row.tool !== asked.tool || row.argsHash !== asked.argsHash) return { kind: "conflict" };
  if (row.result) return { kind: "replay", result: row.result };
  if (ownerAlive === false || row.leaseUntil <= now) return { kind: "take_over", fence: row.fence + 1 };
  return { kind: "wait" };
}

/** The outside world's word on an effect whose owner died. */
export type FoundEffect =
  | { readonly kind: "done"; readonly result: ToolResult }
  | { readonly kind: "not_begun" }
  | { readonly kind: "unknown" };

export const inDoubt = (tool: string): ToolResult => ({
  success: false,
  result: `It is not known whether ${tool} took effect: the gateway stopped in the middle of it. It is not tried again by itself. Look at the state first, then call the tool anew if it is needed.`,
});

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
