// The gateway's store on the shared database: several gateways, also on several machines, see one order.
import { randomUUID } from "node:crypto";
import type { LeaseOwner } from "../../../contract/index.ts";
import {
  connectTo,
  openSharedStore,
  schemaOf,
  type SharedStoreOptions,
} from "../../../store/postgres/index.ts";
import { isAlive } from "../../../system/index.ts";
import type {
  Configuration,
  GatewayStore,
  OutboxRow,
  SandboxRun,
  SealedSecret,
  SandboxSession,
  Snapshot,
} from "../port.ts";
import { documentsIn, parsed, type All } from "./documents.ts";
import { applyEffect } from "./effects.ts";
import { sharedEvents } from "./events.ts";
import { createLedger } from "./ledger.ts";

export async function openSharedGatewayStore(
  options: SharedStoreOptions,
  owner: LeaseOwner,
): Promise<GatewayStore> {
  // It makes the tables, refuses newer ones, and keeps the artifacts.
  const shared = await openSharedStore(options);
  const connection = connectTo(options.url, { max: 8 });
  const s = schemaOf(options.team);
  const { all, together } = connection;
  const sessions = documentsIn<SandboxSession>(`${s}.gateway_sessions`);
  const configurations = documentsIn<Configuration>(`${s}.gateway_configurations`);
  const runs = documentsIn<SandboxRun>(`${s}.gateway_automation_runs`);
  const snapshots = documentsIn<Snapshot>(`${s}.gateway_snapshots`);
  const ledger = createLedger(s, owner);
  const tables = { schema: s, sessions, configurations, runs };

  return {
    artifacts: shared.artifacts,
    ...sharedEvents(connection, s),
    ...sharedSecrets(all, s),
    ...sharedHolds(all, s, owner),
    addSession: (session, run) =>
      together(async (one, again) => {
        await sessions.add(one, session, session.createdAt, again);
        if (run) await runs.add(one, run, run.createdAt, again);
      }),
    session: (id) => sessions.get(all, id),
    sessions: (limit) => sessions.list(all, limit),
    activeSessions: async () =>
      (
        await all(
          `SELECT data FROM ${s}.gateway_sessions WHERE data::json->>'status' IN ('starting', 'running') ORDER BY at, id`,
        )
      ).map((row) => parsed<SandboxSession>(row) as SandboxSession),
    changeSession: (id, change, generation) =>
      together(async (one, again) => {
        const known = await sessions.lock(one, id);
        const wanted = again && change.generation === known?.generation ? known?.generation : generation;
        if (wanted !== undefined && known?.generation !== wanted) return false;
        await sessions.change(one, id, change);
        return true;
      }),

    addConfiguration: (configuration) =>
      together((one, again) => configurations.add(one, configuration, configuration.createdAt, again)),
    configuration: (id) => configurations.get(all, id),
    configurations: () => configurations.list(all),
    changeConfiguration: async (id, change) =>
      void (await together((one) => configurations.change(one, id, change))),

    run: (id) => runs.get(all, id),
    runs: () => runs.list(all),

    ended: (call) => ledger.ended(all, call),
    claim: (call) => {
      const claim = randomUUID();
      return together((one, again) => ledger.claim(one, call, { claim, again }));
    },
    settle: (call, fence, result, state, effects) =>
      together((one, again) => ledger.settle(one, call, { fence, result, state, effects }, again)),
    renew: (call, fence, leaseUntil) => ledger.renew(all, call, fence, leaseUntil),
    perform: (call, effect) => {
      const claim = randomUUID();
      return together(async (one) => {
        // All of it is one transaction: a try whose answer was lost is found ended, and replayed.
        const decision = await ledger.claim(one, call, { claim, again: false });
        if (decision.kind !== "run" && decision.kind !== "take_over") return decision;
        const { result, effects } = await applyEffect(one, tables, call, effect);
        const fence = decision.kind === "run" ? 1 : decision.fence;
        const state = result.success ? "succeeded" : "failed";
        await ledger.settle(one, call, { fence, result, state, effects }, false);
        return { kind: "done", result };
      });
    },
    invocations: (sessionId, limit = 10_000) => ledger.list(all, sessionId, limit),

    addSnapshot: (snapshot) =>
      together((one, again) => snapshots.add(one, snapshot, snapshot.createdAt, again)),
    snapshot: (id) => snapshots.get(all, id),
    snapshots: () => snapshots.list(all),
    snapshotReady: (id) =>
      together(async (one) => {
        const { sessionId, configurationId } = await snapshots.change(one, id, { state: "ready" });
        const session = await sessions.lock(one, sessionId);
        if (session?.sessionType === "setup" && configurationId !== null)
          await configurations.change(one, configurationId, { snapshotId: id, status: "ready" });
        else if (session) await sessions.change(one, sessionId, { snapshotId: id });
      }),

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

    close: async () => {
      await connection.close();
      await shared.close();
    },
  };
}

function sharedSecrets(all: All, s: string): Pick<GatewayStore, "putSecret" | "secrets" | "removeSecret"> {
  const table = `${s}.gateway_secrets`;
  return {
    putSecret: async ({ configurationId, key, keyId, iv, tag, cipher, updatedAt }) => {
      // A row that was there before has a past: only then is its writer of old not ours.
      const [row] = await all(
        `INSERT INTO ${table} AS old VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (configuration_id, key) DO UPDATE
         SET key_id = $3, iv = $4, tag = $5, cipher = $6, updated_at = $7 RETURNING (old.xmax <> 0) AS replaced`,
        [configurationId, key, keyId, iv, tag, cipher, updatedAt],
      );
      return { replaced: row?.["replaced"] === true };
    },
    secrets: async (configurationId) =>
      (await all(
        `SELECT configuration_id AS "configurationId", key, key_id AS "keyId", iv, tag, cipher, updated_at AS "updatedAt"
         FROM ${table} WHERE configuration_id = $1 ORDER BY key`,
        [configurationId],
      )) as unknown as SealedSecret[],
    removeSecret: async (configurationId, key) => {
      const sql = `DELETE FROM ${table} WHERE configuration_id = $1 AND key = $2 RETURNING 1`;
      return (await all(sql, [configurationId, key])).length === 1;
    },
  };
}

/** Which process follows the agent of a session: one at a time, until it lets go, dies, or its time is over. */
function sharedHolds(all: All, s: string, owner: LeaseOwner): Pick<GatewayStore, "hold" | "letGo"> {
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
