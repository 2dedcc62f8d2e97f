// The rules by which a call and a completion happen exactly once.

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

export interface CallRequest {
  readonly tool: string;
  readonly argsHash: string;
}

export type CallDecision =
  /** The call is new. */
  | { readonly kind: "run" }
  | { readonly kind: "replay"; readonly result: ToolResult }
  /** The id was used with another tool or other arguments. */
  | { readonly kind: "conflict" }
  | { readonly kind: "wait" }
  /** The owner is dead: reconcile first, under the next fence. */
  | { readonly kind: "take_over"; readonly fence: number };

/** `ownerAlive` is undefined if this process cannot know it: then only the lease decides. */
export function decideCall(
  row: CallRow | undefined,
  call: CallRequest,
  now: number,
  ownerAlive?: boolean,
): CallDecision {
  if (!row) return { kind: "run" };
  if (row.tool !== call.tool || row.argsHash !== call.argsHash) return { kind: "conflict" };
  if (row.result) return { kind: "replay", result: row.result };
  if (ownerAlive === false || row.leaseUntil <= now) return { kind: "take_over", fence: row.fence + 1 };
  return { kind: "wait" };
}

/** Whether an effect whose owner died has happened. */
export type FoundEffect =
  | { readonly kind: "done"; readonly result: ToolResult }
  | { readonly kind: "not_begun" }
  | { readonly kind: "unknown" };

export const inDoubt = (tool: string): ToolResult => ({
  success: false,
  result: `It is not known whether ${tool} took effect: the gateway stopped in the middle of it. It is not retried. Inspect the state first, then call the tool again if needed.`,
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

export interface CompletionRequest {
  readonly sessionId: string;
  readonly completionId: string;
  readonly hash: string;
}

const refuse = (result: string) => ({ complete: false, result: { success: false, result } }) as const;

export function decideCompletion(
  run: RunFacts | undefined,
  request: CompletionRequest,
): { readonly complete: boolean; readonly result: ToolResult } {
  if (!run) return refuse("Run not found.");
  if (run.sessionId !== request.sessionId) return refuse("This run belongs to another session.");
  const done = { success: true, result: "Automation run completed." };
  if (run.completionId !== null) {
    if (run.completionId !== request.completionId) return refuse("This run was completed already.");
    return run.completionHash === request.hash
      ? { complete: false, result: done }
      : refuse("This run was completed already, with other arguments.");
  }
  if (run.status !== "running") return refuse(`This run has ended already: ${run.status}.`);
  return { complete: true, result: done };
}
