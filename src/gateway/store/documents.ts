// Sessions, configurations, runs and snapshots: rows that are JSON documents, read and written whole.
import { fail } from "../../core/contract/index.ts";
import { decideEffect, type EffectChange } from "./effects.ts";
import type {
  Configuration,
  DirectEffect,
  GatewayStore,
  NewCall,
  SandboxRun,
  SandboxSession,
  Snapshot,
} from "./port.ts";
import { rowsOf, type Row, type Step, type StepDatabase } from "./steps.ts";

const maxParsed = 1000;

class Documents<T extends { readonly id: string; readonly createdAt: number }> {
  readonly #table: string;
  readonly #forUpdate: string;
  readonly #columns: (document: T) => Readonly<Record<string, string>>;
  /** The last text of a document with its value: most reads find the text unchanged. */
  readonly #parsed = new Map<string, { readonly text: string; readonly value: T }>();

  constructor(
    table: string,
    forUpdate: string,
    columns: (document: T) => Readonly<Record<string, string>> = () => ({}),
  ) {
    this.#table = table;
    this.#forUpdate = forUpdate;
    this.#columns = columns;
  }

  *get(id: string, forUpdate = ""): Step<T | undefined> {
    const [row] = yield* rowsOf(`SELECT data FROM ${this.#table} WHERE id = ? ${forUpdate}`, id);
    if (!row) return undefined;
    const text = String(row["data"]);
    const known = this.#parsed.get(id);
    if (known?.text === text) return known.value;
    const value = JSON.parse(text) as T;
    if (this.#parsed.size >= maxParsed) this.#parsed.clear();
    this.#parsed.set(id, { text, value });
    return value;
  }

  /** Reads a document that no other transaction changes before this one ends. */
  lock(id: string): Step<T | undefined> {
    return this.get(id, this.#forUpdate);
  }

  *list(limit = 1000): Step<T[]> {
    const rows = yield* rowsOf(`SELECT data FROM ${this.#table} ORDER BY at DESC, id DESC LIMIT ?`, limit);
    return rows.map(documentOf<T>);
  }

  *where(condition: string): Step<T[]> {
    const rows = yield* rowsOf(`SELECT data FROM ${this.#table} WHERE ${condition} ORDER BY at, id`);
    return rows.map(documentOf<T>);
  }

  /** `again`: an earlier try may have added the same document. */
  *add(document: T, again: boolean): Step<void> {
    if ((yield* this.#insert(document, "DO NOTHING")).length === 1) return;
    const known = again ? JSON.stringify(yield* this.get(document.id)) : undefined;
    if (known !== JSON.stringify(document)) fail("conflict", `There is already one with the id ${document.id}.`);
  }

  *change(id: string, change: Partial<T>): Step<T> {
    const old = (yield* this.lock(id)) ?? fail("not_found", `There is none with the id ${id}.`);
    const next = { ...old, ...change };
    yield* rowsOf(`UPDATE ${this.#table} SET data = ? WHERE id = ?`, JSON.stringify(next), id);
    return next;
  }

  put(document: T): Step<unknown> {
    return this.#insert(document, "DO UPDATE SET data = excluded.data");
  }

  #insert(document: T, onConflict: string): Step<readonly Row[]> {
    const { id, createdAt: at } = document;
    const columns = { id, at, data: JSON.stringify(document), ...this.#columns(document) };
    const names = Object.keys(columns);
    return rowsOf(
      `INSERT INTO ${this.#table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
       ON CONFLICT (id) ${onConflict} RETURNING 1`,
      ...Object.values(columns),
    );
  }
}

const documentOf = <T>(row: Row): T => JSON.parse(String(row["data"])) as T;

export interface Tables {
  readonly database: StepDatabase;
  readonly sessions: Documents<SandboxSession>;
  readonly configurations: Documents<Configuration>;
  readonly runs: Documents<SandboxRun>;
  readonly snapshots: Documents<Snapshot>;
}

export function tablesOf(database: StepDatabase): Tables {
  const { forUpdate, labelColumn } = database;
  return {
    database,
    sessions: new Documents(database.table("sessions"), forUpdate),
    configurations: new Documents(database.table("configurations"), forUpdate),
    runs: new Documents(database.table("automation_runs"), forUpdate),
    snapshots: new Documents(
      database.table("snapshots"),
      forUpdate,
      labelColumn ? ({ label }) => ({ label }) : undefined,
    ),
  };
}

type DocumentMethods = Pick<
  GatewayStore,
  | ("addSession" | "session" | "sessions" | "activeSessions" | "changeSession")
  | ("addConfiguration" | "configuration" | "configurations" | "changeConfiguration")
  | ("run" | "runs" | "addSnapshot" | "snapshot" | "snapshots" | "snapshotReady")
>;

export function documentMethods(tables: Tables): DocumentMethods {
  const { database, sessions, configurations, runs, snapshots } = tables;
  const { read, write } = database;
  return {
    addSession: (session, run) =>
      write(function* (again) {
        yield* sessions.add(session, again);
        if (run) yield* runs.add(run, again);
      }),
    session: (id) => read(() => sessions.get(id)),
    sessions: (limit) => read(() => sessions.list(limit)),
    activeSessions: () => read(() => sessions.where(`${database.status} IN ('starting', 'running')`)),
    changeSession: (id, change, generation) =>
      write(function* (again) {
        const known = yield* sessions.lock(id);
        if (!known) return fail("not_found", `There is none with the id ${id}.`);
        const next = typeof change === "function" ? change(known) : change;
        const wanted = again && next.generation === known.generation ? known.generation : generation;
        if (wanted !== undefined && known.generation !== wanted) return false;
        yield* sessions.change(id, next);
        return true;
      }),

    addConfiguration: (configuration) => write((again) => configurations.add(configuration, again)),
    configuration: (id) => read(() => configurations.get(id)),
    configurations: () => read(() => configurations.list()),
    changeConfiguration: async (id, change) => void (await write(() => configurations.change(id, change))),

    run: (id) => read(() => runs.get(id)),
    runs: () => read(() => runs.list()),

    addSnapshot: (snapshot) => write((again) => snapshots.add(snapshot, again)),
    snapshot: (id) => read(() => snapshots.get(id)),
    snapshots: () => read(() => snapshots.list()),
    snapshotReady: (id, adopt) =>
      write(function* () {
        const { sessionId, configurationId } = yield* snapshots.change(id, { state: "ready" });
        if (!adopt) return;
        const session = yield* sessions.lock(sessionId);
        if (session?.sessionType === "setup" && configurationId !== null)
          yield* configurations.change(configurationId, { snapshotId: id, status: "ready" });
        else if (session) yield* sessions.change(sessionId, { snapshotId: id });
      }),
  };
}

/** Performs an effect on documents in the transaction of its call. Locks: the session, the run's id, the configuration. */
export function* applyEffect(
  { database, sessions, configurations, runs }: Tables,
  call: NewCall,
  effect: DirectEffect,
): Step<Pick<EffectChange, "result" | "effects">> {
  const session = yield* sessions.lock(call.sessionId);
  const runId = effect.kind === "completion" ? effect.completion.run_id : undefined;
  if (runId !== undefined) yield* database.lockRun(runId);
  const configurationId = session?.configurationId ?? null;
  const facts = {
    session,
    configuration: configurationId === null ? undefined : yield* configurations.lock(configurationId),
    run: runId === undefined ? undefined : yield* runs.get(runId),
  };
  const change = decideEffect(facts, call, effect);
  if (change.session) yield* sessions.change(call.sessionId, change.session);
  if (change.configuration && configurationId !== null)
    yield* configurations.change(configurationId, change.configuration);
  if (change.run) yield* runs.put(change.run);
  if (change.stopAt !== undefined) yield* database.addStop(call.sessionId, change.stopAt);
  return change;
}
