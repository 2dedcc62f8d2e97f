// One connection to the store's SQLite file: durable settings, one kind of transaction, errors as failures.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  FailureError,
  fail,
  type Failure,
  type Artifacts,
  type EventLog,
  type Leases,
  type Store,
} from "../../core/contract/index.ts";
import { asFailure, corrupt, isCorruption, isPlainSqlError, unreadable } from "./failures.ts";
import { storeSchema } from "./schema.ts";

export interface Database {
  readonly where: string;
  /** 0 for a file that no writer has finished creating. */
  readonly version: number;
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all(sql: string, ...values: SQLInputValue[]): Row[];
  iterate(sql: string, ...values: SQLInputValue[]): Iterable<Row>;
  run(sql: string, ...values: SQLInputValue[]): void;
  /** All or nothing, and durable when it returns. The write lock is taken at the start, so nothing read is stale. */
  write<T>(work: () => T): T;
  /** Runs disk work that is not SQL under the same rules: failures are named, an I/O error ends the handle. */
  guard<T>(work: () => T): T;
  close(): void;
}

export type Row = Record<string, unknown>;

export interface Connect {
  readonly file: string;
  /** `frozen` reads a file that no process can be writing, without locks or side files. */
  readonly mode: "write" | "read" | "frozen";
  readonly busyTimeoutMs: number;
  /** The tables of the file; those of the store without. */
  readonly schema?: Schema;
}

export interface Schema {
  /** Marks the file, so that another program's database is not taken for ours. */
  readonly applicationId: number;
  /** Step n takes a file from version n to n + 1. A released step is never edited. */
  readonly migrations: readonly string[];
}

export function connect(options: Connect): Database {
  const where = options.file;
  let poison: Failure | undefined;

  const guard = <T>(work: () => T): T => {
    // After a failed fsync the kernel may have dropped the dirty pages: a second try would wrongly succeed.
    if (poison) throw new FailureError(poison);
    try {
      return work();
    } catch (error) {
      const failure = asFailure(error, where);
      if (!failure) throw error;
      if (failure.code === "store_io") poison = failure;
      if (error instanceof FailureError) throw error;
      throw new FailureError(failure, { cause: error });
    }
  };

  const handle = guard(() => openOrTell(options));
  const statements = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    let found = statements.get(sql);
    if (!found) statements.set(sql, (found = prepare(handle, sql, where)));
    return found;
  };

  /** The first error is reported; a handle that cannot roll back is not used again. */
  const undo = (cause: unknown): void => {
    if (!handle.isTransaction) return;
    try {
      statement("ROLLBACK").run();
    } catch (error) {
      poison = asFailure(cause, where) ?? asFailure(error, where);
    }
  };

  return {
    where,
    version: guard(() => versionOf(handle)),
    guard,
    get: (sql, ...values) => guard(() => statement(sql).get(...values)),
    all: (sql, ...values) => guard(() => statement(sql).all(...values)),
    iterate: (sql, ...values) => guarded(guard, () => statement(sql).iterate(...values)),
    run: (sql, ...values) => void guard(() => statement(sql).run(...values)),
    write: (work) =>
      guard(() => {
        statement("BEGIN IMMEDIATE").run();
        try {
          const result = work();
          statement("COMMIT").run();
          return result;
        } catch (error) {
          undo(error);
          throw error;
        }
      }),
    close: () => {
      statements.clear();
      if (handle.isOpen) handle.close();
    },
  };
}

/** Our SQL is fixed, so a statement that does not fit the tables means that the tables are not ours any more. */
function prepare(handle: DatabaseSync, sql: string, where: string): StatementSync {
  try {
    return handle.prepare(sql);
  } catch (error) {
    if (!isPlainSqlError(error)) throw error;
    throw new FailureError(corrupt(where, `its tables were altered (${error.message})`), { cause: error });
  }
}

function* guarded(guard: <T>(work: () => T) => T, start: () => Iterable<Row>): Generator<Row> {
  const rows = guard(start)[Symbol.iterator]();
  try {
    for (;;) {
      const next = guard(() => rows.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // A reader that stops half way must not keep its snapshot open.
    rows.return?.();
  }
}

/** A file that cannot be opened cannot be verified, so the remedy must not suggest that. */
function openOrTell(options: Connect): DatabaseSync {
  try {
    return openHandle(options);
  } catch (error) {
    if (error instanceof FailureError || !isCorruption(error)) throw error;
    throw new FailureError(unreadable(options.file, (error as Error).message), { cause: error });
  }
}

function openHandle({ file, mode, busyTimeoutMs, schema = storeSchema }: Connect): DatabaseSync {
  const location = mode === "frozen" ? new URL(`${pathToFileURL(file).href}?immutable=1`) : file;
  const handle = new DatabaseSync(location, {
    readOnly: mode !== "write",
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: false,
    enableDoubleQuotedStringLiterals: false,
    allowExtension: false,
  });
  try {
    prepareHandle(handle, file, mode, schema);
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

function prepareHandle(handle: DatabaseSync, file: string, mode: Connect["mode"], schema: Schema): void {
  const schemaVersion = schema.migrations.length;
  if (mode === "write") {
    // Full: every commit is on the disk before it is acknowledged, in WAL mode as well.
    handle.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 2000; PRAGMA secure_delete = ON; PRAGMA recursive_triggers = ON",
    );
  }
  const version = versionOf(handle);
  if (version > 0 && numberOf(handle, "application_id") !== schema.applicationId)
    throw new FailureError(unreadable(file, "it is a database, but not one that thehood wrote"));
  if (version === schemaVersion) return;
  if (version > schemaVersion) {
    fail(
      "store_version",
      `The store at ${file} has version ${version}; this program knows versions up to ${schemaVersion}.`,
      { remedy: "Use the newer version of thehood that wrote it. Nothing was changed." },
    );
  }
  if (mode === "write") migrate(handle, schema);
}

function numberOf(handle: DatabaseSync, pragma: string): number {
  return Number(handle.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}

function versionOf(handle: DatabaseSync): number {
  return numberOf(handle, "user_version");
}

/** Another process may have been faster: the version is read again under the write lock. */
function migrate(handle: DatabaseSync, { applicationId, migrations }: Schema): void {
  handle.exec("BEGIN IMMEDIATE");
  try {
    for (let version = versionOf(handle); version < migrations.length; version++)
      handle.exec(`${migrations[version]}; PRAGMA user_version = ${version + 1}`);
    handle.exec(`PRAGMA application_id = ${applicationId}; COMMIT`);
  } catch (error) {
    if (handle.isTransaction) handle.exec("ROLLBACK");
    throw error;
  }
}

/** A port whose methods answer at once. */
export type Immediate<P> = {
  readonly [K in keyof P]: P[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : P[K];
};

/** The parts of the store in this process. */
export interface ImmediateStore<E = unknown> {
  readonly log: Immediate<EventLog<E>>;
  /** Writing waits for the disk. */
  readonly artifacts: Immediate<Omit<Artifacts, "put" | "settle">> & Pick<Artifacts, "put" | "settle">;
  readonly leases: Immediate<Leases>;
  close(): void;
}

/** The same methods, each answering with a promise: an error that a method throws rejects it. */
function promised<P extends object>(port: Immediate<P>): P {
  const methods = Object.entries(port as Record<string, (...args: unknown[]) => unknown>);
  // oxlint-disable-next-line require-await -- the port is asynchronous, and a throw must reject
  const later = methods.map(([name, method]) => [name, async (...args: unknown[]) => method(...args)]);
  return Object.fromEntries(later) as P;
}

export function asPorts<E>({ log, artifacts, leases, close }: ImmediateStore<E>): Store<E> {
  return {
    log: {
      ...promised<EventLog<E>>(log),
      // An event never names an artifact that is not durable.
      append: async (request) => {
        await artifacts.settle();
        return log.append(request);
      },
    },
    artifacts: {
      ...promised<Omit<Artifacts, "put" | "settle">>(artifacts),
      put: artifacts.put,
      settle: artifacts.settle,
    },
    leases: promised<Leases>(leases),
    ...promised<Pick<Store, "close">>({ close }),
  };
}
