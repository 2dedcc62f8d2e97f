// Which process follows the agent of a session: one at a time, until it lets go, dies, or its time is over.
import type { LeaseOwner } from "../../../core/contract/index.ts";
import { isAlive } from "../../../platform/system/index.ts";
import type { GatewayStore } from "../port.ts";
import type { All } from "./documents.ts";

export function sharedHolds(all: All, s: string, owner: LeaseOwner): Pick<GatewayStore, "hold" | "letGo"> {
  const table = `${s}.gateway_holds`;
  const me = JSON.stringify(owner);
  return {
    hold: async (sessionId, now, until) => {
      const [row] = await all(`SELECT owner FROM ${table} WHERE session_id = $1`, [sessionId]);
      const other = row && row["owner"] !== me ? String(row["owner"]) : undefined;
      // A holder that is known to be dead loses it at once, provided that it is still the one.
      const dead = other !== undefined && isAlive(JSON.parse(other) as LeaseOwner) === false ? other : "";
      const taken = await all(
        `INSERT INTO ${table} AS h VALUES ($1, $2, $3) ON CONFLICT (session_id) DO UPDATE SET owner = $2, until = $3
         WHERE h.owner = $2 OR h.owner = $4 OR h.until <= $5 RETURNING 1`,
        [sessionId, me, until, dead, now],
      );
      return taken.length === 1;
    },
    letGo: async (sessionId) =>
      void (await all(`DELETE FROM ${table} WHERE session_id = $1 AND owner = $2`, [sessionId, me])),
  };
}
