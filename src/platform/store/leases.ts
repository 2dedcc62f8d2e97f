// One advancing process a run: a lease with a token that grows, checked again by every append.
import {
  FailureError,
  type Clock,
  type Lease,
  type LeaseOwner,
  type LeaseResult,
  type Leases,
} from "../../core/contract/index.ts";
import { isAlive } from "../system/index.ts";
import { leaseDigest } from "./chain.ts";
import type { Database, Row, Immediate } from "./database.ts";
import { corrupt } from "./failures.ts";
import { checkRunId } from "./ids.ts";
import { readHead } from "./rows.ts";

export const leaseColumns = "run_id, token, held, pid, started_at, host, expires_at, digest";
const upsert = `INSERT INTO leases (${leaseColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run_id) DO UPDATE SET token = excluded.token, held = excluded.held, pid = excluded.pid,
started_at = excluded.started_at, host = excluded.host, expires_at = excluded.expires_at, digest = excluded.digest`;

interface KnownLease {
  readonly lease: Lease;
  readonly held: boolean;
}

export function createLeases(database: Database, clock: Clock): Immediate<Leases> {
  return {
    acquire: (runId, owner, ttlMs) => acquire(database, clock, checkRunId(runId), owner, ttlMs),
    renew: (runId, token, ttlMs) =>
      database.write(() => {
        const known = find(database, checkRunId(runId));
        if (!known?.held || known.lease.token !== token) return false;
        store(database, { ...known.lease, expiresAt: clock.now() + ttlMs }, true);
        return true;
      }),
    release: (runId, token) =>
      database.write(() => {
        const known = find(database, checkRunId(runId));
        if (known?.held && known.lease.token === token) store(database, known.lease, false);
      }),
    fence: (runId, token, seq, work) =>
      database.write(() => {
        if (currentToken(database, checkRunId(runId)) !== token) return "lease_lost";
        if ((readHead(database, runId)?.seq ?? 0) !== seq) return "moved";
        work();
        return "done";
      }),
    holder: (runId) => {
      const known = find(database, checkRunId(runId));
      return known && holds(known, clock) ? known.lease : undefined;
    },
  };
}

/** The token that may write now; undefined when the run has no lease. */
export function currentToken(database: Database, runId: string): number | undefined {
  const known = find(database, runId);
  return known?.held ? known.lease.token : undefined;
}

const acquire = (database: Database, clock: Clock, runId: string, owner: LeaseOwner, ttlMs: number): LeaseResult =>
  database.write(() => acquireWithin(database, clock, runId, owner, ttlMs));

/** Inside of a transaction of the caller. */
export function acquireWithin(
  database: Database,
  clock: Clock,
  runId: string,
  owner: LeaseOwner,
  ttlMs: number,
): LeaseResult {
  const known = find(database, runId);
  if (known && holds(known, clock)) return { ok: false, holder: known.lease };
  const token = (known?.lease.token ?? 0) + 1;
  const lease = { runId, token, owner, expiresAt: clock.now() + ttlMs };
  store(database, lease, true);
  return known?.held ? { ok: true, lease, tookOver: known.lease } : { ok: true, lease };
}

/**
 * A living owner on this host keeps its lease even when it renews late, for example after a suspend or a long garbage
 * collection; a dead owner loses it at once. On other hosts the expiry decides.
 */
function holds(known: KnownLease, clock: Clock): boolean {
  if (!known.held) return false;
  return isAlive(known.lease.owner) ?? clock.now() < known.lease.expiresAt;
}

function find(database: Database, runId: string): KnownLease | undefined {
  const found = database.get(`SELECT ${leaseColumns} FROM leases WHERE run_id = ?`, runId);
  if (!found) return undefined;
  const known = parseLease(found);
  if (!known) throw new FailureError(corrupt(database.where, `run ${runId}: its lease was altered`, { runId }));
  return known;
}

/** Undefined when the row is not the one that was written. */
export function parseLease(found: Row): KnownLease | undefined {
  const { run_id, token, held, pid, started_at, host, expires_at, digest } = found;
  const fields = [run_id, token, held, pid, started_at, host, expires_at] as (string | number)[];
  if (leaseDigest(fields) !== digest) return undefined;
  const owner = { pid: Number(pid), startedAt: String(started_at), host: String(host) };
  const lease = { runId: String(run_id), token: Number(token), owner, expiresAt: Number(expires_at) };
  return { lease, held: held === 1 };
}

function store(database: Database, { runId, token, owner, expiresAt }: Lease, held: boolean): void {
  const fields = [runId, token, held ? 1 : 0, owner.pid, owner.startedAt, owner.host, expiresAt] as const;
  database.run(upsert, ...fields, leaseDigest(fields));
}
