// A step of the store is a generator: it yields queries and receives their rows. SQLite runs a step at once in its group
// commit, PostgreSQL awaits each query, so a step is written once for both.

export type Row = Readonly<Record<string, unknown>>;

export interface Query {
  /** Each question mark is replaced by the next value. */
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

export type Step<T> = Generator<Query, T, readonly Row[]>;

export function* rowsOf(sql: string, ...values: Query["values"]): Step<readonly Row[]> {
  return yield { sql, values };
}

export function runStep<T>(step: Step<T>, rows: (query: Query) => readonly Row[]): T {
  let next = step.next();
  while (next.done !== true) next = step.next(rows(next.value));
  return next.value;
}

export async function awaitStep<T>(step: Step<T>, rows: (query: Query) => Promise<readonly Row[]>): Promise<T> {
  let next = step.next();
  while (next.done !== true) next = step.next(await rows(next.value));
  return next.value;
}

/** How a database spells and runs the steps. */
export interface StepDatabase {
  /** The name of a table of the gateway. */
  table(name: "sessions" | "configurations" | "automation_runs" | "snapshots" | "holds" | "outbox"): string;
  /** The end of a SELECT that locks its rows; empty where a transaction locks the whole database. */
  readonly forUpdate: string;
  /** The field `status` of a document. */
  readonly status: string;
  /** Whether the label of a snapshot is written as a column. */
  readonly labelColumn: boolean;
  /** Locks the id of a run that may have no row yet. */
  lockRun(runId: string): Step<unknown>;
  /** Adds the stop of a session's sandbox to the outbox. */
  addStop(sessionId: string, dueAt: number): Step<unknown>;
  read<T>(step: () => Step<T>): Promise<T>;
  /** One transaction. `again`: an earlier try may have been committed. */
  write<T>(step: (again: boolean) => Step<T>): Promise<T>;
}
