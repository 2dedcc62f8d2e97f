// `log verify`: recomputes every hash and names everything that is not as it was written. Reads only; damage never stops it.
import type { EventLog, VerifyProblem, VerifyReport } from "../../core/contract/index.ts";
import { allArtifacts, artifactNames, namedArtifacts } from "./artifact-files.ts";
import { eventHash, genesis } from "./chain.ts";
import { connect, type Database, type Immediate } from "./database.ts";
import { asFailure } from "./failures.ts";
import { leaseColumns, parseLease } from "./leases.ts";
import { checkRunId } from "./ids.ts";
import { readRow, runIdsAnywhere } from "./rows.ts";
import { damagedWal } from "./wal-check.ts";

interface Findings {
  runs: number;
  events: number;
  artifacts: number;
  unnamed: number;
  problems: VerifyProblem[];
  readonly references: Map<string, { runId: string; seq: number }>;
  readonly unknownIn: (event: unknown) => string | undefined;
}

export function createVerify(
  database: Database,
  artifactRoot: string,
  unknownIn: Findings["unknownIn"] = () => undefined,
): Immediate<EventLog>["verify"] {
  return (runId): VerifyReport => {
    const found: Findings = {
      runs: 0,
      events: 0,
      artifacts: 0,
      unnamed: 0,
      problems: [],
      references: new Map(),
      unknownIn,
    };
    if (runId === undefined) {
      verifyFile(database, found);
      if (database.where === ":memory:" && !artifactNames(artifactRoot).next().done)
        found.problems.push({
          kind: "file",
          problem: "the database is gone, and artifacts of its runs are there",
        });
    }
    const runs = runId === undefined ? runIdsAnywhere(database) : [checkRunId(runId)];
    for (const name of runs) verifyRun(database, name, found);
    verifyArtifacts(database, artifactRoot, found, runId === undefined);
    const { events, artifacts, problems, unnamed } = found;
    return { runs: found.runs, events, artifacts, problems, ...(unnamed > 0 ? { unnamed } : {}) };
  };
}

/** Damage found while reading becomes a problem of that part; a bug is thrown on. */
function attempt(database: Database, found: Findings, about: Omit<VerifyProblem, "problem">, work: () => void) {
  try {
    work();
  } catch (error) {
    const failure = asFailure(error, database.where);
    if (!failure) throw error;
    found.problems.push({ ...about, problem: failure.message });
  }
}

function verifyFile(database: Database, found: Findings): void {
  attempt(database, found, { kind: "file" }, () => {
    const damage = damagedWal(database.where);
    if (damage !== undefined) found.problems.push({ kind: "file", problem: damage });
  });
  attempt(database, found, { kind: "file" }, () => {
    for (const row of database.all("PRAGMA integrity_check(20)")) {
      const text = String(row["integrity_check"]);
      if (text !== "ok") found.problems.push({ kind: "file", problem: text });
    }
  });
  attempt(database, found, { kind: "file" }, () => {
    for (const problem of alteredTables(database)) found.problems.push({ kind: "file", problem });
  });
  attempt(database, found, { kind: "lease" }, () => {
    for (const row of database.iterate(`SELECT ${leaseColumns} FROM leases`))
      if (!parseLease(row))
        found.problems.push({ kind: "lease", problem: `the lease of ${String(row["run_id"])} was altered` });
  });
}

/** The tables, and the triggers that make the log append-only, must be the ones that this version makes. */
function alteredTables(database: Database): string[] {
  const select = "SELECT type || ' ' || name AS what, sql FROM sqlite_schema ORDER BY what";
  const read = (from: Database) => new Map(from.all(select).map((row) => [String(row["what"]), row["sql"]]));
  const fresh = connect({ file: ":memory:", mode: "write", busyTimeoutMs: 0 });
  const expected = read(fresh);
  fresh.close();
  const actual = read(database);
  const names = new Set([...expected.keys(), ...actual.keys()]);
  return [...names]
    .filter((name) => expected.get(name) !== actual.get(name))
    .map((name) => `the ${name} is not as this program made it`);
}

function verifyRun(database: Database, runId: string, found: Findings): void {
  found.runs += 1;
  attempt(database, found, { kind: "chain", runId }, () => {
    const last = verifyEvents(database, runId, found);
    const known = readRow(database, runId);
    const row = (problem: string) => found.problems.push({ kind: "row", runId, problem });
    if (!known) row("the run has events but no row");
    else if (known.row.damaged !== undefined) row(known.row.damaged);
    else if (last.seq < known.row.seq) row(`the log ends at event ${last.seq}, the row says ${known.row.seq}`);
    else if (last.hashes.get(known.row.seq) !== known.head) row("the row does not belong to the end of the log");
  });
}

interface Tail {
  readonly seq: number;
  /** Of the last few events: a writer may add some between the two reads. */
  readonly hashes: ReadonlyMap<number, string>;
}

function verifyEvents(database: Database, runId: string, found: Findings): Tail {
  const known = readRow(database, runId)?.row.seq ?? 0;
  const hashes = new Map<number, string>();
  let prevHash = genesis(runId);
  let seq = 0;
  const select = "SELECT seq, at, event, hash FROM events WHERE run_id = ? ORDER BY seq";
  for (const row of database.iterate(select, runId)) {
    const { at, event, hash } = row as { at: number; event: string; hash: string };
    seq += 1;
    found.events += 1;
    if (row["seq"] !== seq) {
      found.problems.push({ kind: "gap", runId, seq, problem: `event ${seq} is missing` });
      seq = Number(row["seq"]);
    } else if (eventHash(runId, seq, at, event, prevHash) !== hash)
      found.problems.push({
        kind: "chain",
        runId,
        seq,
        problem: `event ${seq} is not the one that was written`,
      });
    else readSound(JSON.parse(event), { runId, seq }, found);
    if (seq >= known) hashes.set(seq, hash);
    prevHash = hash;
  }
  return { seq, hashes };
}

/** An event that is as it was written: the artifacts that it names, and whether this program understands it. */
function readSound(event: unknown, at: { runId: string; seq: number }, found: Findings): void {
  for (const name of referencesIn(event)) if (!found.references.has(name)) found.references.set(name, at);
  const unknown = found.unknownIn(event);
  if (unknown !== undefined)
    found.problems.push({
      kind: "version",
      ...at,
      problem: `${unknown} to this version; use a newer one`,
    });
}

/** An artifact reference is known by its shape, so that a hash in someone's prose is not taken for one. */
export function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  if ("ref" in value && "bytes" in value && "mediaType" in value && typeof value.ref === "string") {
    const name = /^sha256:([0-9a-f]{64})$/.exec(value.ref)?.[1];
    if (name) yield name;
  }
  for (const item of Object.values(value)) yield* referencesIn(item);
}

/** With all runs every file is read, also those that no event names; with one run only the artifacts that it names. */
function verifyArtifacts(database: Database, root: string, found: Findings, all: boolean): void {
  attempt(database, found, { kind: "artifact_altered" }, () => {
    const present = new Set<string>();
    for (const { name, sound } of all ? allArtifacts(root) : namedArtifacts(root, found.references.keys())) {
      present.add(name);
      found.artifacts += 1;
      if (!found.references.has(name)) found.unnamed += 1;
      if (!sound)
        found.problems.push({
          kind: "artifact_altered",
          ...found.references.get(name),
          problem: `artifact sha256:${name} does not match its name`,
        });
    }
    for (const [name, at] of found.references)
      if (!present.has(name))
        found.problems.push({
          kind: "artifact_missing",
          ...at,
          problem: `artifact sha256:${name} is missing`,
        });
  });
}
