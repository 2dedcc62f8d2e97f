// The gateway's store on the shared database: several gateways, also on several machines, see one order.
import type { LeaseOwner } from "../../../core/contract/index.ts";
import {
  connectTo,
  openSharedStore,
  schemaOf,
  type Connection,
  type SharedStoreOptions,
} from "../../../platform/store/postgres/index.ts";
import type { Configuration, GatewayStore, SandboxRun, SandboxSession, Snapshot } from "../port.ts";
import { sharedCalls } from "./calls.ts";
import { documentsIn, parsed, type Documents } from "./documents.ts";
import type { Tables } from "./effects.ts";
import { sharedEvents } from "./events.ts";
import { sharedHolds } from "./holds.ts";
import { sharedOutbox } from "./outbox.ts";
import { sharedSecrets } from "./secrets.ts";

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
  const tables = { schema: s, sessions, configurations, runs };

  return {
    artifacts: shared.artifacts,
    ...sharedEvents(connection, s),
    ...sharedSecrets(all, s),
    ...sharedHolds(all, s, owner),
    ...sharedCalls(connection, tables, owner),
    ...sharedOutbox(all, s),
    ...sessionSteps(connection, tables),
    ...snapshotSteps(connection, tables, snapshots),

    addConfiguration: (configuration) =>
      together((one, again) => configurations.add(one, configuration, configuration.createdAt, again)),
    configuration: (id) => configurations.get(all, id),
    configurations: () => configurations.list(all),
    changeConfiguration: async (id, change) =>
      void (await together((one) => configurations.change(one, id, change))),

    run: (id) => runs.get(all, id),
    runs: () => runs.list(all),

    close: async () => {
      await connection.close();
      await shared.close();
    },
  };
}

function sessionSteps(
  { all, together }: Connection,
  { schema, sessions, runs }: Tables,
): Pick<GatewayStore, "addSession" | "session" | "sessions" | "activeSessions" | "changeSession"> {
  return {
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
          `SELECT data FROM ${schema}.gateway_sessions WHERE data::json->>'status' IN ('starting', 'running') ORDER BY at, id`,
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
  };
}

function snapshotSteps(
  { all, together }: Connection,
  { sessions, configurations }: Tables,
  snapshots: Documents<Snapshot>,
): Pick<GatewayStore, "addSnapshot" | "snapshot" | "snapshots" | "snapshotReady"> {
  return {
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
  };
}
