// Which process follows the agent of a session: one at a time, until it lets go, dies, or its time is over.
import type { LeaseOwner } from "../../../core/contract/index.ts";
import type { Database } from "../../../platform/store/index.ts";
import { isAlive } from "../../../platform/system/index.ts";

export interface HoldTable {
  hold(sessionId: string, now: number, until: number): boolean;
  letGo(sessionId: string): void;
}

export function createHolds(database: Database, owner: LeaseOwner): HoldTable {
  const me = JSON.stringify(owner);
  return {
    hold(sessionId, now, until) {
      const row = database.get("SELECT owner, until FROM session_holds WHERE session_id = ?", sessionId);
      const other = row && row["owner"] !== me ? (JSON.parse(String(row["owner"])) as LeaseOwner) : undefined;
      if (other && Number(row?.["until"]) > now && isAlive(other) !== false) return false;
      database.run(
        "INSERT OR REPLACE INTO session_holds (session_id, owner, until) VALUES (?, ?, ?)",
        sessionId,
        me,
        until,
      );
      return true;
    },
    letGo: (sessionId) =>
      database.run("DELETE FROM session_holds WHERE session_id = ? AND owner = ?", sessionId, me),
  };
}
