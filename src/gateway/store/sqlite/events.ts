// The events of sessions, numbered without a gap.
import { storedEvent } from "../calls.ts";
import type { GatewayStore } from "../port.ts";
import type { Transactions } from "./group-commit.ts";

export function localEvents({
  database,
  atOnce,
  commit,
}: Transactions): Pick<GatewayStore, "appendEvents" | "events" | "mark"> {
  return {
    appendEvents: (sessionId, events) =>
      commit(() => {
        const last = database.get("SELECT max(seq) AS seq FROM events WHERE session_id = ?", sessionId);
        let seq = Number(last?.["seq"] ?? 0);
        return events.map((event) => {
          seq += 1;
          database.run(
            "INSERT INTO events (session_id, seq, at, type, data) VALUES (?, ?, ?, ?, ?)",
            sessionId,
            seq,
            event.at,
            event.type,
            JSON.stringify(event.data),
          );
          return { seq, ...event };
        });
      }),
    events: (sessionId, after, limit) =>
      atOnce(() =>
        database
          .all(
            "SELECT seq, at, type, data FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            sessionId,
            after,
            limit,
          )
          .map(storedEvent),
      ),

    // Changes with each commit of another connection.
    mark: () => atOnce(() => String(database.get("PRAGMA data_version")?.["data_version"])),
  };
}
