// The gateway's store on one SQLite file. Reads answer at once; every change goes through the group commit.
import { join } from "node:path";
import type { LeaseOwner } from "../../../core/contract/index.ts";
import { connect } from "../../../platform/store/index.ts";
import { ensureFolder } from "../../../platform/system/index.ts";
import type { Configuration, GatewayStore, SandboxRun, SandboxSession, Snapshot } from "../port.ts";
import { openEvidence } from "./artifacts.ts";
import { localCalls } from "./calls.ts";
import { documentsOf, type Documents } from "./documents.ts";
import type { Tables } from "./effects.ts";
import { localEvents } from "./events.ts";
import { stepsOn, type Steps } from "./group-commit.ts";
import { createHolds } from "./holds.ts";
import { localOutbox } from "./outbox.ts";
import { gatewaySchema } from "./schema.ts";
import { localSecrets } from "./secrets.ts";

/** A process that may be dead by now tells by `owner` who holds a call or a session. */
export function openGatewayStore(folder: string, owner: LeaseOwner): GatewayStore {
  ensureFolder(folder);
  const file = join(folder, "gateway.db");
  const database = connect({ file, mode: "write", busyTimeoutMs: 10_000, schema: gatewaySchema });
  const steps = stepsOn(database);
  const { atOnce, commit } = steps;
  const sessions = documentsOf<SandboxSession>(database, "sessions");
  const configurations = documentsOf<Configuration>(database, "configurations");
  const runs = documentsOf<SandboxRun>(database, "automation_runs");
  const snapshots = documentsOf<Snapshot>(database, "snapshots", ({ label }) => ({ label }));
  const holds = createHolds(database, owner);
  const evidence = openEvidence(folder, file);
  const tables = { database, sessions, configurations, runs };

  return {
    artifacts: evidence.artifacts,
    ...localSecrets(steps),
    ...localCalls(steps, tables, owner),
    ...localEvents(steps),
    ...localOutbox(steps),
    ...sessionSteps(steps, tables),
    ...snapshotSteps(steps, tables, snapshots),

    hold: (id, at, until) => commit(() => holds.hold(id, at, until)),
    letGo: (id) => commit(() => holds.letGo(id)),

    addConfiguration: (configuration) =>
      commit(() => configurations.add(configuration, configuration.createdAt)),
    configuration: (id) => atOnce(() => configurations.get(id)),
    configurations: () => atOnce(() => configurations.all()),
    changeConfiguration: (id, change) => commit(() => void configurations.change(id, change)),

    run: (id) => atOnce(() => runs.get(id)),
    runs: () => atOnce(() => runs.all()),

    close: () =>
      atOnce(() => {
        evidence.close();
        database.close();
      }),
  };
}

function sessionSteps(
  { atOnce, commit }: Steps,
  { sessions, runs }: Tables,
): Pick<GatewayStore, "addSession" | "session" | "sessions" | "activeSessions" | "changeSession"> {
  return {
    addSession: (session, run) =>
      commit(() => {
        sessions.add(session, session.createdAt);
        if (run) runs.add(run, run.createdAt);
      }),
    session: (id) => atOnce(() => sessions.get(id)),
    sessions: (limit) => atOnce(() => sessions.all(limit)),
    activeSessions: () =>
      atOnce(() => sessions.where("json_extract(data, '$.status')", ["starting", "running"])),
    changeSession: (id, change, generation) =>
      commit(() => {
        if (generation !== undefined && sessions.get(id)?.generation !== generation) return false;
        sessions.change(id, change);
        return true;
      }),
  };
}

function snapshotSteps(
  { atOnce, commit }: Steps,
  { sessions, configurations }: Tables,
  snapshots: Documents<Snapshot>,
): Pick<GatewayStore, "addSnapshot" | "snapshot" | "snapshots" | "snapshotReady"> {
  return {
    addSnapshot: (snapshot) => commit(() => snapshots.add(snapshot, snapshot.createdAt)),
    snapshot: (id) => atOnce(() => snapshots.get(id)),
    snapshots: () => atOnce(() => snapshots.all()),
    snapshotReady: (id) =>
      commit(() => {
        const { sessionId, configurationId } = snapshots.change(id, { state: "ready" });
        const session = sessions.get(sessionId);
        if (session?.sessionType === "setup" && configurationId !== null)
          configurations.change(configurationId, { snapshotId: id, status: "ready" });
        else if (session) sessions.change(sessionId, { snapshotId: id });
      }),
  };
}
