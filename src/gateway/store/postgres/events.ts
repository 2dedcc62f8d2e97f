// The events of sessions, numbered without a gap, also when the answer to an append was lost.
import { randomUUID } from "node:crypto";
import type { Connection } from "../../../platform/store/postgres/index.ts";
import { storedEvent } from "../calls.ts";
import type { GatewayStore } from "../port.ts";

export function sharedEvents(
  connection: Connection,
  schema: string,
): Pick<GatewayStore, "appendEvents" | "events" | "mark"> {
  const heads = `${schema}.gateway_event_heads`;
  return {
    appendEvents: async (sessionId, events) => {
      if (events.length === 0) return [];
      const batch = randomUUID();
      const last = await connection.together(async (all, again) => {
        const known = `SELECT seq FROM ${heads} WHERE session_id = $1 AND batch = $2 FOR UPDATE`;
        const [written] = again ? await all(known, [sessionId, batch]) : [];
        if (written) return Number(written["seq"]);
        const [head] = await all(
          `INSERT INTO ${heads} AS h VALUES ($1, $2, $3)
           ON CONFLICT (session_id) DO UPDATE SET seq = h.seq + $2, batch = $3 RETURNING seq`,
          [sessionId, events.length, batch],
        );
        const first = Number(head?.["seq"]) - events.length + 1;
        for (const [index, { at, type, data }] of events.entries())
          await all(`INSERT INTO ${schema}.gateway_events VALUES ($1, $2, $3, $4, $5)`, [
            sessionId,
            first + index,
            at,
            type,
            JSON.stringify(data),
          ]);
        return Number(head?.["seq"]);
      });
      return events.map((event, index) => ({ seq: last - events.length + 1 + index, ...event }));
    },
    events: async (sessionId, after, limit) =>
      (
        await connection.all(
          `SELECT seq, at, type, data FROM ${schema}.gateway_events WHERE session_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
          [sessionId, after, limit],
        )
      ).map(storedEvent),
    // Each append raises the number of its session in the same transaction.
    mark: async () => String((await connection.all(`SELECT coalesce(sum(seq), 0)::text AS n FROM ${heads}`))[0]?.["n"]),
  };
}
