// Work that a commit promised and that is done after it.
import type { GatewayStore, OutboxRow } from "../port.ts";
import type { All } from "./documents.ts";

export function sharedOutbox(
  all: All,
  s: string,
): Pick<GatewayStore, "outboxDue" | "outboxDone" | "outboxLater"> {
  return {
    outboxDue: async (at) =>
      (await all(
        `SELECT id, 'stop_session' AS kind, session_id AS "sessionId", attempts FROM ${s}.gateway_outbox WHERE due_at <= $1 ORDER BY due_at LIMIT 20`,
        [at],
      )) as unknown as OutboxRow[],
    outboxDone: async (id) => void (await all(`DELETE FROM ${s}.gateway_outbox WHERE id = $1`, [id])),
    outboxLater: async (id, at) =>
      void (await all(`UPDATE ${s}.gateway_outbox SET attempts = attempts + 1, due_at = $2 WHERE id = $1`, [
        id,
        at,
      ])),
  };
}
