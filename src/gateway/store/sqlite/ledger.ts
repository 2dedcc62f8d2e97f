// The ledger `session_tool_invocations`: the audit log of tool calls and the record that makes each of them happen once
//
import type { LeaseOwner } from "../../../core/contract/index.ts";
import type { Database } from "../../../platform/store/index.ts";
import type { CallDecision } from "../../rules/index.ts";
import * as calls from "../calls.ts";
import { applyEffect, type Tables } from "../documents.ts";
import type { NewCall } from "../port.ts";
import type { Transactions } from "./group-commit.ts";

const table = "session_tool_invocations";
const where = "WHERE session_id = ? AND tool_call_id = ?";
const columns = "canonical_tool AS tool, args_hash, state, lease_until, fence, result, owner";
const maxRemembered = 4096;
const maxRememberedText = 4096;

/** Whether the last statement changed a row. */
export const changed = (database: Database): boolean => Number(database.get("SELECT changes() AS n")?.["n"]) === 1;

function find(database: Database, { sessionId, callId }: calls.CallKey): calls.StoredCall | undefined {
  const row = database.get(`SELECT ${columns} FROM ${table} ${where}`, sessionId, callId);
  return row && calls.storedCall(row);
}

/** Remembers the calls that have their result: such a row never changes, so it is read once. */
function rememberingFind(database: Database): (call: calls.CallKey) => calls.StoredCall | undefined {
  const ended = new Map<string, calls.StoredCall>();
  return (call) => {
    const key = `${call.sessionId}\n${call.callId}`;
    const known = ended.get(key);
    if (known) return known;
    const found = find(database, call);
    if (!found?.result || JSON.stringify(found.result).length > maxRememberedText) return found;
    if (ended.size >= maxRemembered) ended.clear();
    ended.set(key, found);
    return found;
  };
}

function claim(database: Database, call: NewCall, owner: string): CallDecision {
  const decision = calls.decideClaim(find(database, call), call);
  if (decision.kind === "run")
    database.run(
      `INSERT INTO ${table} (session_id, tool_call_id, canonical_tool, args_hash, state, owner, lease_until, fence, attempts, effects, result, started_at, completed_at)
       VALUES (?, ?, ?, ?, 'executing', ?, ?, 1, 1, 0, NULL, ?, NULL)`,
      call.sessionId,
      call.callId,
      call.tool,
      call.argsHash,
      owner,
      call.leaseUntil,
      call.now,
    );
  if (decision.kind === "take_over")
    database.run(
      `UPDATE ${table} SET owner = ?, lease_until = ?, fence = ?, attempts = attempts + 1 ${where}`,
      owner,
      call.leaseUntil,
      decision.fence,
      call.sessionId,
      call.callId,
    );
  return decision;
}

function settle(database: Database, call: NewCall, end: calls.CallEnd): boolean {
  const { fence, result, state, effects } = end;
  database.run(
    `UPDATE ${table} SET state = ?, result = ?, effects = ?, completed_at = ? ${where} AND fence = ? AND result IS NULL`,
    state,
    JSON.stringify(result),
    effects,
    call.now,
    call.sessionId,
    call.callId,
    fence,
  );
  return changed(database);
}

export function localCalls(
  { database, atOnce, commit, run }: Transactions,
  tables: Tables,
  owner: LeaseOwner,
): calls.CallMethods {
  const me = JSON.stringify(owner);
  const remembered = rememberingFind(database);
  return {
    // Read outside of a transaction: a row that is seen here is on the disk.
    ended: (call) => atOnce(() => calls.endedCall(remembered(call), call)),
    claim: (call) => commit(() => claim(database, call, me)),
    settle: (call, fence, result, state, effects) =>
      commit(() => settle(database, call, { fence, result, state, effects })),
    renew: (call, fence, leaseUntil) =>
      commit(() => {
        database.run(
          `UPDATE ${table} SET lease_until = ? ${where} AND fence = ? AND result IS NULL`,
          leaseUntil,
          call.sessionId,
          call.callId,
          fence,
        );
        return changed(database);
      }),
    perform: (call, effect) =>
      commit(() => {
        const decision = claim(database, call, me);
        if (decision.kind !== "run" && decision.kind !== "take_over") return decision;
        const end = calls.performedEnd(decision, run(applyEffect(tables, call, effect)));
        settle(database, call, end);
        return { kind: "done", result: end.result };
      }),
    invocations: (sessionId, limit = 10_000) =>
      atOnce(() =>
        database
          .all(
            `SELECT *, canonical_tool AS tool, tool_call_id AS call_id FROM ${table}
             WHERE session_id = ? ORDER BY started_at, tool_call_id LIMIT ?`,
            sessionId,
            limit,
          )
          .map(calls.storedInvocation),
      ),
  };
}
