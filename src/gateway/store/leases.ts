// The lease of a session, by which one process at a time follows its agent, and the outbox of work that a commit promised.
import type { LeaseOwner } from "../../core/contract/index.ts";
import { isAlive } from "../../platform/system/index.ts";
import type { GatewayStore } from "./port.ts";
import { rowsOf, type StepDatabase } from "./steps.ts";

export function leaseMethods(
  { table, read, write }: StepDatabase,
  owner: LeaseOwner,
): Pick<GatewayStore, "takeLease" | "releaseLease" | "outboxDue" | "outboxDone" | "outboxLater"> {
  const me = JSON.stringify(owner);
  const [leases, outbox] = [table("holds"), table("outbox")];
  return {
    takeLease: (sessionId, now, until) =>
      write(function* () {
        const [row] = yield* rowsOf(`SELECT owner FROM ${leases} WHERE session_id = ?`, sessionId);
        const other = row && row["owner"] !== me ? String(row["owner"]) : undefined;
        // An owner that is known to be dead loses the lease at once, if it still has it.
        const dead = other !== undefined && isAlive(JSON.parse(other) as LeaseOwner) === false ? other : "";
        const taken = yield* rowsOf(
          `INSERT INTO ${leases} AS h (session_id, owner, until) VALUES (?, ?, ?)
           ON CONFLICT (session_id) DO UPDATE SET owner = excluded.owner, until = excluded.until
           WHERE h.owner = excluded.owner OR h.owner = ? OR h.until <= ? RETURNING 1`,
          sessionId,
          me,
          until,
          dead,
          now,
        );
        return taken.length === 1;
      }),
    releaseLease: async (sessionId) =>
      void (await write(() => rowsOf(`DELETE FROM ${leases} WHERE session_id = ? AND owner = ?`, sessionId, me))),

    outboxDue: (now) =>
      read(function* () {
        const rows = yield* rowsOf(
          `SELECT id, session_id, attempts FROM ${outbox} WHERE due_at <= ? ORDER BY due_at LIMIT 20`,
          now,
        );
        return rows.map((row) => ({
          id: Number(row["id"]),
          kind: "stop_session",
          sessionId: String(row["session_id"]),
          attempts: Number(row["attempts"]),
        }));
      }),
    outboxDone: async (id) => void (await write(() => rowsOf(`DELETE FROM ${outbox} WHERE id = ?`, id))),
    outboxLater: async (id, at) =>
      void (await write(() => rowsOf(`UPDATE ${outbox} SET attempts = attempts + 1, due_at = ? WHERE id = ?`, at, id))),
  };
}
