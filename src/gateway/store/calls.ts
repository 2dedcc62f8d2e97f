// Rows of calls, events and secrets, read alike from both databases, and the decisions on a call.
import type { LeaseOwner } from "../../core/contract/index.ts";
import { isAlive } from "../../platform/system/index.ts";
import { decideCall, type CallDecision, type CallRow, type CallState, type ToolResult } from "../rules/index.ts";
import type { GatewayStore, Invocation, NewCall, SealedSecret, SessionEvent } from "./port.ts";
import type { Row } from "./steps.ts";

export type CallMethods = Pick<GatewayStore, "ended" | "claim" | "settle" | "renew" | "perform" | "invocations">;
export type CallKey = Pick<NewCall, "sessionId" | "callId">;
export type StoredCall = CallRow & { readonly owner: string };

export interface CallEnd {
  readonly fence: number;
  readonly result: ToolResult;
  readonly state: CallState;
  readonly effects: number;
}

const resultOf = (row: Row): ToolResult | null =>
  row["result"] === null ? null : (JSON.parse(String(row["result"])) as ToolResult);

export const storedCall = (row: Row): StoredCall => ({
  tool: String(row["tool"]),
  argsHash: String(row["args_hash"]),
  state: row["state"] as CallState,
  leaseUntil: Number(row["lease_until"]),
  fence: Number(row["fence"]),
  result: resultOf(row),
  owner: String(row["owner"]),
});

export const storedInvocation = (row: Row): Invocation => ({
  tool: String(row["tool"]),
  callId: String(row["call_id"]),
  outcome: row["state"] as CallState,
  effects: Number(row["effects"]),
  attempts: Number(row["attempts"]),
  startedAt: Number(row["started_at"]),
  completedAt: row["completed_at"] === null ? null : Number(row["completed_at"]),
  result: resultOf(row),
});

export const storedEvent = ({ seq, at, type, data }: Row): SessionEvent => ({
  seq: Number(seq),
  at: Number(at),
  type: String(type),
  data: JSON.parse(String(data)) as SessionEvent["data"],
});

export const storedSecret = (row: Row): SealedSecret => ({
  configurationId: String(row["configuration_id"]),
  key: String(row["key"]),
  keyId: String(row["key_id"]),
  iv: String(row["iv"]),
  tag: String(row["tag"]),
  cipher: String(row["cipher"]),
  updatedAt: Number(row["updated_at"]),
});

/** The end of a call that has one. */
export function endedCall(
  known: StoredCall | undefined,
  call: Parameters<GatewayStore["ended"]>[0],
): Awaited<ReturnType<GatewayStore["ended"]>> {
  if (!known) return undefined;
  const decision = decideCall(known, call, 0);
  return decision.kind === "replay" || decision.kind === "conflict" ? decision : undefined;
}

/** The decision on a claim, with the state of the process that has the call. */
export function decideClaim(known: StoredCall | undefined, call: NewCall): CallDecision {
  const holder = known && !known.result ? (JSON.parse(known.owner) as LeaseOwner) : undefined;
  return decideCall(known, call, call.now, holder && isAlive(holder));
}

/** The end of a call whose effect was performed in the transaction of its claim. */
export const performedEnd = (
  decision: Extract<CallDecision, { kind: "run" | "take_over" }>,
  { result, effects }: Pick<CallEnd, "result" | "effects">,
): CallEnd => ({
  fence: decision.kind === "run" ? 1 : decision.fence,
  result,
  state: result.success ? "succeeded" : "failed",
  effects,
});
