// The calls of tools on PostgreSQL: the row of a call is locked while it is decided, and a claim has a name of its own, so
// that a claim whose answer was lost is known again.
import type { LeaseOwner } from "../../../core/contract/index.ts";
import { isAlive } from "../../../platform/system/index.ts";
import { decideCall, type CallDecision, type CallState, type ToolResult } from "../../rules/index.ts";
import { toolCallOf, storedInvocation } from "../ledger-rows.ts";
import type { GatewayStore, Invocation, NewCall } from "../port.ts";
import type { All } from "./documents.ts";

interface Tried {
  /** The name of this claim, the same at each try. */
  readonly claim: string;
  /** An earlier try may have been committed. */
  readonly again: boolean;
}

export interface Ledger {
  ended(all: All, call: Parameters<GatewayStore["ended"]>[0]): ReturnType<GatewayStore["ended"]>;
  claim(all: All, call: NewCall, tried: Tried): Promise<CallDecision>;
  settle(
    all: All,
    call: NewCall,
    end: { fence: number; result: ToolResult; state: CallState; effects: number },
    again: boolean,
  ): Promise<boolean>;
  renew(all: All, call: NewCall, fence: number, leaseUntil: number): Promise<boolean>;
  list(all: All, sessionId: string, limit: number): Promise<Invocation[]>;
}

export function createLedger(schema: string, owner: LeaseOwner): Ledger {
  const table = `${schema}.gateway_calls`;
  const me = JSON.stringify(owner);
  const where = "WHERE session_id = $1 AND call_id = $2";
  const key = ({ sessionId, callId }: Pick<NewCall, "sessionId" | "callId">) => [sessionId, callId];
  const find = async (all: All, call: Pick<NewCall, "sessionId" | "callId">, more = "") =>
    (await all(`SELECT * FROM ${table} ${where} ${more}`, key(call)))[0];

  return {
    ended: async (all, call) => {
      const row = await find(all, call);
      if (!row) return undefined;
      const decision = decideCall(toolCallOf(row), call, 0);
      return decision.kind === "replay" || decision.kind === "conflict" ? decision : undefined;
    },
    claim: async (all, call, { claim, again }) => {
      const made = await all(
        `INSERT INTO ${table} VALUES ($1, $2, $3, $4, 'executing', $5, $6, $7, 1, 1, 0, NULL, $8, NULL)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [...key(call), call.tool, call.argsHash, me, claim, call.leaseUntil, call.now],
      );
      if (made.length === 1) return { kind: "run" };
      const row = (await find(all, call, "FOR UPDATE")) ?? {};
      const known = toolCallOf(row);
      if (again && row["claim"] === claim && !known.result)
        return known.fence === 1 ? { kind: "run" } : { kind: "take_over", fence: known.fence };
      const holder = known.result ? undefined : (JSON.parse(String(row["owner"])) as LeaseOwner);
      const decision = decideCall(known, call, call.now, holder && isAlive(holder));
      if (decision.kind === "take_over")
        await all(
          `UPDATE ${table} SET owner = $3, claim = $4, lease_until = $5, fence = $6, attempts = attempts + 1 ${where}`,
          [...key(call), me, claim, call.leaseUntil, decision.fence],
        );
      return decision;
    },
    settle: async (all, call, { fence, result, state, effects }, again) => {
      const text = JSON.stringify(result);
      const done = await all(
        `UPDATE ${table} SET state = $3, result = $4, effects = $5, completed_at = $6
         ${where} AND fence = $7 AND result IS NULL RETURNING 1`,
        [...key(call), state, text, effects, call.now, fence],
      );
      if (done.length === 1) return true;
      const row = again ? await find(all, call) : undefined;
      return row !== undefined && Number(row["fence"]) === fence && row["result"] === text;
    },
    renew: async (all, call, fence, leaseUntil) => {
      const sql = `UPDATE ${table} SET lease_until = $3 ${where} AND fence = $4 AND result IS NULL RETURNING 1`;
      return (await all(sql, [...key(call), leaseUntil, fence])).length === 1;
    },
    list: async (all, sessionId, limit) =>
      (
        await all(`SELECT * FROM ${table} WHERE session_id = $1 ORDER BY started_at, call_id LIMIT $2`, [
          sessionId,
          limit,
        ])
      ).map(storedInvocation),
  };
}
