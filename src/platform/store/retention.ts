// Removes runs from a store on request of a person, with the artifacts that no other run names, and frees the space.
// The log of every other run stays as it is.
import { rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, type Clock } from "../../core/contract/index.ts";
import { artifactNames, pathOf } from "./artifact-files.ts";
import { connect, type Database } from "./database.ts";
import { createLeases } from "./leases.ts";
import { checkRunId } from "./ids.ts";

export interface Removed {
  readonly artifacts: number;
  /** By how much the files of the store are smaller now. */
  readonly freedBytes: number;
}

/** An artifact that was put this short ago may be named by an event that is being written. */
const graceMs = 5_000;

/** Where the log of a run ended when the caller read it. */
type SeenHeads = ReadonlyMap<string, { readonly seq: number; readonly hash: string }>;

/** Removes the runs as the caller saw them: when the log of one has changed since, nothing is removed. */
export function removeRuns(folder: string, seen: SeenHeads, clock: Clock): Removed {
  const dir = resolve(folder);
  const file = join(dir, "store.db");
  const root = join(dir, "artifacts");
  const database = connect({ file, mode: "write", busyTimeoutMs: 10_000 });
  try {
    refuseBusy(database, clock);
    const before = statSync(file).size;
    const freed = database.write(() => {
      refuseChanged(database, seen);
      deleteRows(database, [...seen.keys()].map(checkRunId));
      return deleteArtifacts(root, namedIn(database), clock);
    });
    database.run("VACUUM");
    database.all("PRAGMA wal_checkpoint(TRUNCATE)");
    return { artifacts: freed.count, freedBytes: freed.bytes + Math.max(0, before - statSync(file).size) };
  } finally {
    database.close();
  }
}

/** A process at work may count on artifacts that no event names yet. */
function refuseBusy(database: Database, clock: Clock): void {
  const busy = holder(database, clock);
  if (busy !== undefined)
    fail("run_busy", `Run ${busy} is being worked on; nothing was removed.`, {
      remedy: "Wait until no run is at work, then try again.",
    });
}

/** A run that some process holds. */
function holder(database: Database, clock: Clock): string | undefined {
  const leases = createLeases(database, clock);
  const held = database.all("SELECT run_id FROM leases WHERE held = 1").map(({ run_id }) => String(run_id));
  return held.find((runId) => leases.holder(runId) !== null && leases.holder(runId) !== undefined);
}

function refuseChanged(database: Database, seen: SeenHeads): void {
  for (const [runId, { seq, hash }] of seen) {
    const found = database.all("SELECT seq, head FROM runs WHERE run_id = ?", runId)[0];
    if (seq === 0 ? found === undefined : found?.["seq"] === seq && found["head"] === hash) continue;
    fail("conflict", `Run ${runId} has changed since it was read; nothing was removed.`, {
      remedy: "Try again: the run is then read again.",
    });
  }
}

/** The triggers that keep logs append-only are taken away and put back in one transaction. */
function deleteRows(database: Database, runIds: readonly string[]): void {
  const select = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%\\_delete' ESCAPE '\\'";
  const triggers = database.all(select);
  for (const { name } of triggers) database.run(`DROP TRIGGER "${String(name)}"`);
  for (const runId of runIds)
    for (const table of ["events", "runs", "leases"]) database.run(`DELETE FROM ${table} WHERE run_id = ?`, runId);
  for (const { sql } of triggers) database.run(String(sql));
}

interface Unnamed {
  readonly path: string;
  readonly bytes: number;
  readonly at: number;
}

/**
 * Removes those artifacts that `choose` names among the ones that no event mentions: left by effects that a crash stopped.
 * Undefined while a run is at work, whose next event may mention one.
 */
export function removeUnnamedArtifacts(
  folder: string,
  choose: (found: readonly Unnamed[]) => readonly Unnamed[],
  clock: Clock,
): { readonly count: number; readonly bytes: number } | undefined {
  const dir = resolve(folder);
  const database = connect({ file: join(dir, "store.db"), mode: "write", busyTimeoutMs: 10_000 });
  try {
    if (holder(database, clock) !== undefined) return undefined;
    return database.write(() => {
      const chosen = choose([...unnamed(join(dir, "artifacts"), namedIn(database), clock)]);
      for (const { path } of chosen) rmSync(path, { force: true });
      return { count: chosen.length, bytes: chosen.reduce((sum, { bytes }) => sum + bytes, 0) };
    });
  } finally {
    database.close();
  }
}

/** Every hash that any event mentions, in whatever form. */
function namedIn(database: Database): Set<string> {
  const named = new Set<string>();
  for (const { event } of database.iterate("SELECT event FROM events"))
    for (const [, name] of String(event).matchAll(/sha256:([0-9a-f]{64})/g)) if (name) named.add(name);
  return named;
}

function* unnamed(root: string, named: ReadonlySet<string>, clock: Clock): Generator<Unnamed> {
  for (const name of artifactNames(root)) {
    const path = pathOf(root, name);
    const found = named.has(name) ? undefined : statSync(path, { throwIfNoEntry: false });
    if (found && clock.now() - found.mtimeMs >= graceMs) yield { path, bytes: found.size, at: found.mtimeMs };
  }
}

function deleteArtifacts(root: string, named: ReadonlySet<string>, clock: Clock) {
  let [count, sum] = [0, 0];
  for (const { path, bytes } of unnamed(root, named, clock)) {
    rmSync(path);
    count += 1;
    sum += bytes;
  }
  return { count, bytes: sum };
}
