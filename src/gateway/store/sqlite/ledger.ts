// The ledger `session_tool_invocations`: the audit log and the store of exactly once at the same time.
import type { LeaseOwner } from "../../../core/contract/index.ts";
import type { Database } from "../../../platform/store/index.ts";
import { isAlive } from "../../../platform/system/index.ts";
import {
  decideCall,
  type CallDecision,
  type CallRow,
  type CallState,
  type ToolResult,
} from "../../rules/index.ts";
import { toolCallOf, storedInvocation } from "../ledger-rows.ts";
import type { GatewayStore, Invocation, NewCall } from "../port.ts";

const table = "session_tool_invocations";

export interface Ledger {
  ended(call: Parameters<GatewayStore["ended"]>[0]): Awaited<ReturnType<GatewayStore["ended"]>>;
  claim(call: NewCall): CallDecision;
  settle(call: NewCall, fence: number, result: ToolResult, state: CallState, effects: number): boolean;
  renew(call: NewCall, fence: number, leaseUntil: number): boolean;
  list(sessionId: string, limit: number): Invocation[];
}

type CallKey = Pick<NewCall, "sessionId" | "callId">;
type Found = CallRow & { readonly owner: string };
const mostRemembered = 4096;
const mostText = 4096;

const where = "WHERE session_id = ? AND tool_call_id = ?";
const columns = "canonical_tool AS tool, args_hash, state, lease_until, fence, result, owner";

const insert = (database: Database, call: NewCall, owner: string): void =>
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

/** Whether a row that we still hold was changed. */
const changed = (database: Database): boolean => Number(database.get("SELECT changes() AS n")?.["n"]) === 1;

function find(database: Database, { sessionId, callId }: CallKey): Found | undefined {
  const row = database.get(`SELECT ${columns} FROM ${table} ${where}`, sessionId, callId);
  return row && { ...toolCallOf(row), owner: String(row["owner"]) };
}

/** Remembers the calls that have their result: such a row never changes again, so that it need not be read again. */
function rememberingFind(database: Database): (call: CallKey) => Found | undefined {
  const over = new Map<string, Found>();
  return (call) => {
    const key = `${call.sessionId}\n${call.callId}`;
    const known = over.get(key);
    if (known) return known;
    const found = find(database, call);
    if (!found?.result || JSON.stringify(found.result).length > mostText) return found;
    if (over.size >= mostRemembered) over.clear();
    over.set(key, found);
    return found;
  };
}

export function createLedger(database: Database, owner: LeaseOwner): Ledger {
  const me = JSON.stringify(owner);
  const findOver = rememberingFind(database);

  return {
    // Asked outside of any transaction: a row that is seen here is on the disk.
    ended(call) {
      const found = findOver(call);
      if (!found) return undefined;
      const decision = decideCall(found, call, 0);
      return decision.kind === "replay" || decision.kind === "conflict" ? decision : undefined;
    },
    claim(call) {
      const found = find(database, call);
      const holder = found && !found.result ? (JSON.parse(found.owner) as LeaseOwner) : undefined;
      const decision = decideCall(found, call, call.now, holder && isAlive(holder));
      if (decision.kind === "run") insert(database, call, me);
      if (decision.kind === "take_over")
        database.run(
          `UPDATE ${table} SET owner = ?, lease_until = ?, fence = ?, attempts = attempts + 1 ${where}`,
          me,
          call.leaseUntil,
          decision.fence,
          call.sessionId,
          call.callId,
        );
      return decision;
    },
    settle(call, fence, result, state, effects) {
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
    },
    renew(call, fence, leaseUntil) {
      database.run(
        `UPDATE ${table} SET lease_until = ? ${where} AND fence = ? AND result IS NULL`,
        leaseUntil,
        call.sessionId,
        call.callId,
        fence,
      );
      return changed(database);
    },
    list: (sessionId, limit) =>
      database
        .all(
          `SELECT *, canonical_tool AS tool, tool_call_id AS call_id FROM ${table}
           WHERE session_id = ? ORDER BY started_at, tool_call_id LIMIT ?`,
          sessionId,
          limit,
        )
        .map(storedInvocation),
  };
}
