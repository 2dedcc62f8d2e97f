// The calls of tools on PostgreSQL. The row of a call is locked while it is decided, and each claim has its own id, so a
// claim whose answer was lost is recognized.
import { randomUUID } from "node:crypto";
import type { LeaseOwner } from "../../../core/contract/index.ts";
import type { Connection } from "../../../platform/store/postgres/index.ts";
import type { CallDecision } from "../../rules/index.ts";
import * as calls from "../calls.ts";
import { applyEffect, type Tables } from "../documents.ts";
import type { NewCall } from "../port.ts";
import { stepOn } from "./steps.ts";

type All = Connection["all"];

interface Attempt {
  /** The id of the claim, the same at each attempt. */
  readonly claim: string;
  /** An earlier attempt may have been committed. */
  readonly again: boolean;
}

const where = "WHERE session_id = $1 AND call_id = $2";
const key = ({ sessionId, callId }: calls.CallKey) => [sessionId, callId];

function ledgerIn(schema: string, owner: LeaseOwner) {
  const table = `${schema}.gateway_calls`;
  const me = JSON.stringify(owner);
  const find = async (all: All, call: calls.CallKey, more = "") =>
    (await all(`SELECT * FROM ${table} ${where} ${more}`, key(call)))[0];
  return {
    table,
    find,
    claim: async (all: All, call: NewCall, { claim, again }: Attempt): Promise<CallDecision> => {
      const made = await all(
        `INSERT INTO ${table} VALUES ($1, $2, $3, $4, 'executing', $5, $6, $7, 1, 1, 0, NULL, $8, NULL)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [...key(call), call.tool, call.argsHash, me, claim, call.leaseUntil, call.now],
      );
      if (made.length === 1) return { kind: "run" };
      const row = (await find(all, call, "FOR UPDATE")) ?? {};
      const known = calls.storedCall(row);
      if (again && row["claim"] === claim && !known.result)
        return known.fence === 1 ? { kind: "run" } : { kind: "take_over", fence: known.fence };
      const decision = calls.decideClaim(known, call);
      if (decision.kind === "take_over")
        await all(
          `UPDATE ${table} SET owner = $3, claim = $4, lease_until = $5, fence = $6, attempts = attempts + 1 ${where}`,
          [...key(call), me, claim, call.leaseUntil, decision.fence],
        );
      return decision;
    },
    settle: async (all: All, call: NewCall, end: calls.CallEnd, again: boolean): Promise<boolean> => {
      const { fence, result, state, effects } = end;
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
  };
}

export function sharedCalls(
  { all, together }: Connection,
  tables: Tables,
  schema: string,
  owner: LeaseOwner,
): calls.CallMethods {
  const ledger = ledgerIn(schema, owner);
  return {
    ended: async (call) => {
      const row = await ledger.find(all, call);
      return calls.endedCall(row && calls.storedCall(row), call);
    },
    claim: (call) => {
      const claim = randomUUID();
      return together((one, again) => ledger.claim(one, call, { claim, again }));
    },
    settle: (call, fence, result, state, effects) =>
      together((one, again) => ledger.settle(one, call, { fence, result, state, effects }, again)),
    renew: async (call, fence, leaseUntil) => {
      const sql = `UPDATE ${ledger.table} SET lease_until = $3 ${where} AND fence = $4 AND result IS NULL RETURNING 1`;
      return (await all(sql, [...key(call), leaseUntil, fence])).length === 1;
    },
    perform: (call, effect) => {
      const claim = randomUUID();
      return together(async (one) => {
        // One transaction: an attempt whose answer was lost is found ended, and is replayed.
        const decision = await ledger.claim(one, call, { claim, again: false });
        if (decision.kind !== "run" && decision.kind !== "take_over") return decision;
        const end = calls.performedEnd(decision, await stepOn(one, applyEffect(tables, call, effect)));
        await ledger.settle(one, call, end, false);
        return { kind: "done", result: end.result };
      });
    },
    invocations: async (sessionId, limit = 10_000) => {
      const sql = `SELECT * FROM ${ledger.table} WHERE session_id = $1 ORDER BY started_at, call_id LIMIT $2`;
      return (await all(sql, [sessionId, limit])).map(calls.storedInvocation);
    },
  };
}
