// Rows of the ledger as the rules and the lists see them, from either database.
import type { CallRow, CallState, ToolResult } from "../rules/index.ts";
import type { Invocation } from "./port.ts";

type Row = Readonly<Record<string, unknown>>;

const resultOf = (row: Row): ToolResult | null =>
  row["result"] === null ? null : (JSON.parse(String(row["result"])) as ToolResult);

export const toolCallOf = (row: Row): CallRow => ({
  tool: String(row["tool"]),
  argsHash: String(row["args_hash"]),
  state: row["state"] as CallState,
  leaseUntil: Number(row["lease_until"]),
  fence: Number(row["fence"]),
  result: resultOf(row),
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
