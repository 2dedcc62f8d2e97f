// Work that a commit promised and that is done after it.
import type { GatewayStore, OutboxRow } from "../port.ts";
import type { Steps } from "./group-commit.ts";

export function localOutbox({
  database,
  atOnce,
  commit,
}: Steps): Pick<GatewayStore, "outboxDue" | "outboxDone" | "outboxLater"> {
  return {
    outboxDue: (at) =>
      atOnce(() =>
        database
          .all(
            "SELECT id, kind, session_id AS sessionId, attempts FROM outbox WHERE due_at <= ? ORDER BY due_at LIMIT 20",
            at,
          )
          .map((row) => ({ ...row }) as unknown as OutboxRow),
      ),
    outboxDone: (id) => commit(() => database.run("DELETE FROM outbox WHERE id = ?", id)),
    outboxLater: (id, at) =>
      commit(() =>
        database.run("UPDATE outbox SET attempts = attempts + 1, due_at = ? WHERE id = ?", at, id),
      ),
  };
}
