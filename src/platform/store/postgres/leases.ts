// Leases on PostgreSQL. The times are the database's, so that the clocks of the machines need not agree.
import type { Lease, LeaseOwner, LeaseResult, Leases } from "../../../core/contract/index.ts";
import { isAlive } from "../../system/index.ts";
import { checkRunId } from "../ids.ts";
import type { Row } from "./connection.ts";
import type { SharedTables } from "./log.ts";

/** `now` is for tests; without it the database gives the time. */
export function createSharedLeases(tables: SharedTables, now: () => number | null = () => null): Leases {
  const { connection, schema: s } = tables;
  const moment = "coalesce($2::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)";

  const acquire = async (
    runId: string,
    owner: LeaseOwner,
    ttlMs: number,
    dead: number | null = null,
  ): Promise<LeaseResult> => {
    const { pid, startedAt, host } = owner;
    let lost = false;
    const [row = {}] = await connection.once(`SELECT * FROM ${s}.acquire($1, $2, $3, $4, $5, $6, $7)`, (again) => {
      lost = again;
      return [runId, pid, startedAt, host, ttlMs, now(), dead];
    });
    const old = oldLease(runId, row);
    if (row["ok"] === true) {
      const lease = { runId, token: Number(row["new_token"]), owner, expiresAt: Number(row["new_expiry"]) };
      return old && row["old_held"] === true ? { ok: true, lease, tookOver: old } : { ok: true, lease };
    }
    if (!old) throw new Error(`The lease of ${runId} has no holder.`);
    // The answer to the first try was lost; the lease that it made is ours.
    const ours = old.owner.pid === pid && old.owner.startedAt === startedAt && old.owner.host === host;
    if (lost && ours) return { ok: true, lease: old };
    // A holder that is known to be dead on this host loses its lease at once; elsewhere the time decides.
    if (dead === null && isAlive(old.owner) === false) return acquire(runId, owner, ttlMs, old.token);
    return { ok: false, holder: old };
  };

  return {
    acquire: async (runId, owner, ttlMs) => acquire(checkRunId(runId), owner, ttlMs),
    renew: async (runId, token, ttlMs) => {
      const rows = await connection.all(
        `UPDATE ${s}.leases SET expires_at = ${moment} + $4 WHERE run_id = $1 AND token = $3 AND held RETURNING 1`,
        [checkRunId(runId), now(), token, ttlMs],
      );
      return rows.length === 1;
    },
    release: async (runId, token) => {
      await connection.all(`UPDATE ${s}.leases SET held = false WHERE run_id = $1 AND token = $2`, [
        checkRunId(runId),
        token,
      ]);
    },
    fence: (runId, token, seq, work) =>
      connection.together(async (all) => {
        const id = checkRunId(runId);
        const held = await all(`SELECT 1 FROM ${s}.leases WHERE run_id = $1 AND token = $2 AND held FOR UPDATE`, [
          id,
          token,
        ]);
        if (held.length !== 1) return "lease_lost";
        const [row] = await all(`SELECT seq FROM ${s}.runs WHERE run_id = $1 FOR UPDATE`, [id]);
        if (Number(row?.["seq"] ?? 0) !== seq) return "moved";
        work();
        return "done";
      }),
    holder: async (runId) => {
      const [row] = await connection.all(
        `SELECT token AS old_token, pid AS old_pid, started_at AS old_started, host AS old_host, expires_at AS old_expiry
         FROM ${s}.leases WHERE run_id = $1 AND held AND ${moment} < expires_at`,
        [checkRunId(runId), now()],
      );
      const lease = row && oldLease(runId, row);
      return lease && isAlive(lease.owner) !== false ? lease : undefined;
    },
  };
}

function oldLease(runId: string, row: Row): Lease | undefined {
  if (row["old_token"] === null || row["old_token"] === undefined) return undefined;
  const owner = {
    pid: Number(row["old_pid"]),
    startedAt: String(row["old_started"]),
    host: String(row["old_host"]),
  };
  return { runId, token: Number(row["old_token"]), owner, expiresAt: Number(row["old_expiry"]) };
}
