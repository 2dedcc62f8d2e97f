// The gateway's store on one SQLite file. Reads answer at once; every change goes through the group commit.
import { join } from "node:path";
import type { LeaseOwner } from "../../../contract/index.ts";
import { connect } from "../../../store/index.ts";
import { ensureFolder } from "../../../system/index.ts";
import type {
  Configuration,
  GatewayStore,
  OutboxRow,
  SandboxRun,
  SealedSecret,
  SandboxSession,
  SessionEvent,
  Snapshot,
} from "../port.ts";
import { openEvidence } from "./artifacts.ts";
import { documentsOf } from "./documents.ts";
import { applyEffect } from "./effects.ts";
import { groupCommit } from "./group-commit.ts";
import { createHolds } from "./holds.ts";
import { createLedger } from "./ledger.ts";
import { gatewaySchema } from "./schema.ts";

/** A process that may be dead by now tells by `owner` who holds a call or a session. */
export function openGatewayStore(folder: string, owner: LeaseOwner): GatewayStore {
  ensureFolder(folder);
  const file = join(folder, "gateway.db");
  const database = connect({ file, mode: "write", busyTimeoutMs: 10_000, schema: gatewaySchema });
  const commit = groupCommit(database);
  const sessions = documentsOf<SandboxSession>(database, "sessions");
  const configurations = documentsOf<Configuration>(database, "configurations");
  const runs = documentsOf<SandboxRun>(database, "automation_runs");
  const snapshots = documentsOf<Snapshot>(database, "snapshots", ({ label }) => ({ label }));
  const ledger = createLedger(database, owner);
  const holds = createHolds(database, owner);
  const evidence = openEvidence(folder, file);
  const tables = { database, sessions, configurations, runs };
  // oxlint-disable-next-line require-await -- the port is asynchronous, and a throw must reject
  const now = async <T>(work: () => T): Promise<T> => work();

  return {
    artifacts: evidence.artifacts,
    addSession: (session, run) =>
      commit(() => {
        sessions.add(session, session.createdAt);
        if (run) runs.add(run, run.createdAt);
      }),
    session: (id) => now(() => sessions.get(id)),
    sessions: (limit) => now(() => sessions.all(limit)),
    activeSessions: () =>
      now(() => sessions.where("json_extract(data, '$.status')", ["starting", "running"])),
    changeSession: (id, change, generation) =>
      commit(() => {
        if (generation !== undefined && sessions.get(id)?.generation !== generation) return false;
        sessions.change(id, change);
        return true;
      }),

    hold: (id, at, until) => commit(() => holds.hold(id, at, until)),
    letGo: (id) => commit(() => holds.letGo(id)),

    addConfiguration: (configuration) =>
      commit(() => configurations.add(configuration, configuration.createdAt)),
    configuration: (id) => now(() => configurations.get(id)),
    configurations: () => now(() => configurations.all()),
    changeConfiguration: (id, change) => commit(() => void configurations.change(id, change)),

    putSecret: ({ configurationId, key, keyId, iv, tag, cipher, updatedAt }) =>
      commit(() => {
        const old = database.get(
          "SELECT 1 AS found FROM secrets WHERE configuration_id = ? AND key = ?",
          configurationId,
          key,
        );
        database.run(
          "INSERT OR REPLACE INTO secrets (configuration_id, key, key_id, iv, tag, cipher, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
          configurationId,
          key,
          keyId,
          iv,
          tag,
          cipher,
          updatedAt,
        );
        return { replaced: old !== undefined };
      }),
    secrets: (configurationId) =>
      now(() =>
        database
          .all(
            "SELECT configuration_id AS configurationId, key, key_id AS keyId, iv, tag, cipher, updated_at AS updatedAt FROM secrets WHERE configuration_id = ? ORDER BY key",
            configurationId,
          )
          .map((row) => ({ ...row }) as unknown as SealedSecret),
      ),
    removeSecret: (configurationId, key) =>
      commit(() => {
        database.run("DELETE FROM secrets WHERE configuration_id = ? AND key = ?", configurationId, key);
        return Number(database.get("SELECT changes() AS n")?.["n"]) === 1;
      }),

    run: (id) => now(() => runs.get(id)),
    runs: () => now(() => runs.all()),

    ended: (call) => now(() => ledger.ended(call)),
    claim: (call) => commit(() => ledger.claim(call)),
    settle: (...words) => commit(() => ledger.settle(...words)),
    renew: (...words) => commit(() => ledger.renew(...words)),
    perform: (call, effect) =>
      commit(() => {
        const decision = ledger.claim(call);
        if (decision.kind !== "run" && decision.kind !== "take_over") return decision;
        const { result, effects } = applyEffect(tables, call, effect);
        const fence = decision.kind === "run" ? 1 : decision.fence;
        ledger.settle(call, fence, result, result.success ? "succeeded" : "failed", effects);
        return { kind: "done", result };
      }),
    invocations: (sessionId, limit = 10_000) => now(() => ledger.list(sessionId, limit)),

    addSnapshot: (snapshot) => commit(() => snapshots.add(snapshot, snapshot.createdAt)),
    snapshot: (id) => now(() => snapshots.get(id)),
    snapshots: () => now(() => snapshots.all()),
    snapshotReady: (id) =>
      commit(() => {
        const { sessionId, configurationId } = snapshots.change(id, { state: "ready" });
        const session = sessions.get(sessionId);
        if (session?.sessionType === "setup" && configurationId !== null)
          configurations.change(configurationId, { snapshotId: id, status: "ready" });
        else if (session) sessions.change(sessionId, { snapshotId: id });
      }),

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
      now(() =>
        database
          .all(
            "SELECT seq, at, type, data FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            sessionId,
            after,
            limit,
          )
          .map(({ seq, at, type, data }) => ({
            seq: Number(seq),
            at: Number(at),
            type: String(type),
            data: JSON.parse(String(data)) as SessionEvent["data"],
          })),
      ),

    // Grows with each commit of another connection.
    mark: () => now(() => String(database.get("PRAGMA data_version")?.["data_version"])),

    outboxDue: (at) =>
      now(() =>
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

    close: () =>
      now(() => {
        evidence.close();
        database.close();
      }),
  };
}
