// Ways to alter a store so that its own hashes are right again afterwards, as somebody would who can write the file.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Recorded } from "../../src/core/contract/index.ts";
import { fold, rowOf } from "../../src/core/machine/index.ts";
import { canonicalJson } from "../../src/platform/store/index.ts";
import { eventHash, genesis, rowDigest } from "../../src/platform/store/chain.ts";
import type { Draw } from "./drawing.ts";
import type { Scene } from "./scene.ts";

export interface Written {
  at: number;
  event: Record<string, unknown>;
}

type Rows = Record<string, string | number>;

/** The row that follows from the events, as far as they make a run. */
function rowFrom(events: readonly Written[]): Rows {
  try {
    const run = fold(events.map(({ at, event }, index) => ({ seq: index + 1, at, event }) as unknown as Recorded));
    if (!run) return {};
    const { createdAt, goal, mode, state, brief } = rowOf(run);
    return { created_at: createdAt, goal, mode, state, brief: canonicalJson(brief) };
  } catch (error) {
    if (error instanceof Error) return {};
    throw error;
  }
}

/** The database with its triggers taken away, and put back at the end as they were. */
function withDatabase<T>(scene: Scene, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(scene.stateDir, "store.db"));
  try {
    const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) database.exec(`DROP TRIGGER "${String(name)}"`);
    const result = work(database);
    for (const { sql } of triggers) database.exec(String(sql));
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return result;
  } finally {
    database.close();
  }
}

function readEvents(database: DatabaseSync, runId: string): Written[] {
  return database
    .prepare("SELECT at, event FROM events WHERE run_id = ? ORDER BY seq")
    .all(runId)
    .map(({ at, event }) => ({ at: Number(at), event: JSON.parse(String(event)) as Written["event"] }));
}

function writeRow(database: DatabaseSync, runId: string, head: string, changed: Rows): void {
  const row = { ...(database.prepare("SELECT * FROM runs WHERE run_id = ?").get(runId) as Rows), ...changed };
  const named = {
    runId,
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
    seq: Number(row["seq"]),
    goal: String(row["goal"]),
    mode: String(row["mode"]),
    state: String(row["state"]),
  };
  const digest = rowDigest(named, String(row["brief"]), head);
  database
    .prepare(
      "UPDATE runs SET created_at=?, updated_at=?, seq=?, goal=?, mode=?, state=?, brief=?, head=?, digest=? WHERE run_id=?",
    )
    .run(
      named.createdAt,
      named.updatedAt,
      named.seq,
      named.goal,
      named.mode,
      named.state,
      String(row["brief"]),
      head,
      digest,
      runId,
    );
}

function writeEvents(database: DatabaseSync, runId: string, events: readonly Written[]): void {
  database.prepare("DELETE FROM events WHERE run_id = ?").run(runId);
  const insert = database.prepare("INSERT INTO events (run_id, seq, at, event, hash) VALUES (?, ?, ?, ?, ?)");
  let head = genesis(runId);
  for (const [index, { at, event }] of events.entries()) {
    const text = canonicalJson(event);
    head = eventHash(runId, index + 1, at, text, head);
    insert.run(runId, index + 1, at, text, head);
  }
  writeRow(database, runId, head, {
    ...rowFrom(events),
    seq: events.length,
    updated_at: events.at(-1)?.at ?? 0,
  });
}

/** The log of a drawn run, changed and hashed anew. */
const rewriting =
  (change: (events: Written[], draw: Draw) => Written[]) =>
  (scene: Scene, draw: Draw): void => {
    const runId = scene.runIds[draw(scene.runIds.length)] ?? "";
    withDatabase(scene, (database) => {
      const before = readEvents(database, runId);
      const after = change(structuredClone(before), draw);
      if (canonicalJson(before) === canonicalJson(after)) throw new Error("nothing was altered");
      writeEvents(database, runId, after);
    });
  };

/** The first text or number of an event from a drawn place on, made another one. */
function bend(value: unknown, draw: Draw): unknown {
  if (typeof value === "string") return `${value}${"xyz"[draw(3)] ?? ""}`;
  if (typeof value === "number") return value + 1;
  return typeof value === "boolean" ? !value : "other";
}

const putBack = (scene: Scene, from: string): void => {
  for (const end of ["", "-wal", "-shm"]) rmSync(join(scene.stateDir, `store.db${end}`), { force: true });
  cpSync(from, scene.stateDir, { recursive: true });
};

export const tamperings: Readonly<Record<string, (scene: Scene, draw: Draw) => void>> = {
  "an event is edited": rewriting((events, draw) => {
    const event = events[draw(events.length)]?.event ?? {};
    const names = Object.keys(event).filter((name) => name !== "type");
    const name = names[draw(Math.max(1, names.length))] ?? "note";
    event[name] = bend(event[name], draw);
    return events;
  }),
  "the author of the run is another one": rewriting((events) => {
    const [first] = events;
    if (first) first.event["createdBy"] = { kind: "host", surface: "mcp", name: "somebody" };
    return events;
  }),
  "the policy is another one": rewriting((events, draw) => {
    const policy = events[0]?.event["policy"] as Record<string, unknown>;
    policy["editRequiresApproval"] = policy["editRequiresApproval"] !== true;
    if (draw(2) === 0) policy["approvals"] = policy["approvals"] === "manual" ? "autopilot" : "manual";
    return events;
  }),
  "an event is taken out": rewriting((events, draw) => events.toSpliced(draw(events.length - 1) + 1, 1)),
  "an event is put in": rewriting((events, draw) => {
    const place = draw(events.length - 1) + 1;
    return events.toSpliced(place, 0, structuredClone(events[place]) as Written);
  }),
  "two events change places": rewriting((events, draw) => {
    const place = 1 + draw(Math.max(1, events.length - 2));
    const [one, other] = [events[place], events[place + 1]] as [Written, Written];
    if (canonicalJson(one) === canonicalJson(other)) return [...events, one];
    return events.with(place, other).with(place + 1, one);
  }),
  "the end is cut off": rewriting((events, draw) => events.slice(0, -1 - draw(Math.min(5, events.length - 1)))),
  "the times are others": rewriting((events, draw) => {
    const by = 1 + draw(100_000);
    return events.map(({ at, event }) => ({ at: at + by, event }));
  }),
  "a run is deleted": (scene, draw) => {
    const runId = scene.runIds[draw(scene.runIds.length)] ?? "";
    withDatabase(scene, (database) => {
      for (const table of ["events", "runs", "leases"])
        database.prepare(`DELETE FROM ${table} WHERE run_id = ?`).run(runId);
    });
  },
  "the log of a run is that of another": (scene, draw) => {
    const from = draw(scene.runIds.length);
    const [source = "", target = ""] = [scene.runIds[from], scene.runIds[(from + 1) % scene.runIds.length]];
    withDatabase(scene, (database) => {
      const text = JSON.stringify(readEvents(database, source)).replaceAll(source, target);
      writeEvents(database, target, [
        ...(JSON.parse(text) as Written[]),
        { at: 9e12, event: { type: "progress_packet_written", packet: null } },
      ]);
    });
  },
  "a row says something else than its log": (scene, draw) => {
    const runId = scene.runIds[draw(scene.runIds.length)] ?? "";
    withDatabase(scene, (database) => {
      const row = database.prepare("SELECT * FROM runs WHERE run_id = ?").get(runId) as Rows;
      const other: Rows[] = [
        { state: row["state"] === "completed" ? "failed" : "completed" },
        { goal: `${row["goal"]}!` },
        { mode: row["mode"] === "plan" ? "review" : "plan" },
        { created_at: Number(row["created_at"]) + 1 },
        { updated_at: Number(row["updated_at"]) + 1 },
      ];
      writeRow(database, runId, String(row["head"]), other[draw(other.length)] ?? {});
    });
  },
  "an artifact and every mention of it are others": (scene, draw) => {
    const runId = scene.runIds[draw(scene.runIds.length)] ?? "";
    withDatabase(scene, (database) => {
      const text = JSON.stringify(readEvents(database, runId));
      const names = [...new Set([...text.matchAll(/"ref":"sha256:([0-9a-f]{64})"/g)].map(([, name]) => name ?? ""))];
      const name = names[draw(names.length)] ?? "";
      const fileOf = (of: string) => join(scene.stateDir, "artifacts", of.slice(0, 2), of.slice(2));
      const forged = Buffer.concat([readFileSync(fileOf(name)), Buffer.from("forged")]);
      const other = createHash("sha256").update(forged).digest("hex");
      mkdirSync(dirname(fileOf(other)), { recursive: true });
      writeFileSync(fileOf(other), forged);
      writeEvents(database, runId, JSON.parse(text.replaceAll(name, other)) as Written[]);
    });
  },
  "the database is deleted": (scene) => {
    for (const end of ["", "-wal", "-shm"]) rmSync(join(scene.stateDir, `store.db${end}`), { force: true });
  },
  "everything of the store is deleted": (scene) => rmSync(scene.stateDir, { recursive: true }),
  "an older copy is put back": (scene) => putBack(scene, scene.older),
  "the write-ahead log is deleted": (scene) => {
    for (const end of ["", "-wal", "-shm"]) rmSync(join(scene.stateDir, `store.db${end}`), { force: true });
    cpSync(scene.withoutWal, join(scene.stateDir, "store.db"));
  },
};
