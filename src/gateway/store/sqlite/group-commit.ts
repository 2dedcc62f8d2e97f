// Many small changes in one durable transaction, because a disk flush costs more than all of them. Each change is applied or
// rolled back on its own, and its promise resolves when the transaction is on the disk.
import type { Database } from "../../../platform/store/index.ts";
import { rowsOf, runStep, type Step, type StepDatabase } from "../steps.ts";

interface Pending {
  readonly work: () => unknown;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

type Work = <T>(work: () => T) => Promise<T>;

export interface Transactions {
  readonly database: Database;
  /** For reads: they do not wait for a commit. */
  readonly atOnce: Work;
  /** Resolves when the change is on the disk. */
  readonly commit: Work;
  /** Runs a step inside either of them. */
  run<T>(step: Step<T>): T;
}

export const transactionsOn = (database: Database): Transactions => ({
  database,
  // oxlint-disable-next-line require-await -- the port is asynchronous, and a throw must reject
  atOnce: async (work) => work(),
  commit: groupCommit(database),
  run: (step) => runStep(step, ({ sql, values }) => database.all(sql, ...values)),
});

/** SQLite locks the whole database in a transaction, so no row is locked. */
export const localDatabase = ({ atOnce, commit, run }: Transactions): StepDatabase => ({
  table: (name) => (name === "holds" ? "session_holds" : name),
  forUpdate: "",
  status: "json_extract(data, '$.status')",
  labelColumn: true,
  *lockRun() {
    // The transaction has the lock already.
  },
  addStop: (sessionId, dueAt) =>
    rowsOf(
      "INSERT INTO outbox (kind, session_id, attempts, due_at) VALUES ('stop_session', ?, 0, ?)",
      sessionId,
      dueAt,
    ),
  read: (step) => atOnce(() => run(step())),
  write: (step) => commit(() => run(step(false))),
});

function groupCommit(database: Database): Work {
  let waiting: Pending[] = [];
  const flush = (): void => {
    const steps = waiting;
    waiting = [];
    const ends: (() => void)[] = [];
    try {
      database.write(() => {
        for (const step of steps) ends.push(perform(database, step));
      });
    } catch (error) {
      for (const { failed } of steps) failed(error);
      return;
    }
    for (const end of ends) end();
  };
  return <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, done: resolve as (value: unknown) => void, failed: reject });
      if (waiting.length === 1) setImmediate(flush);
    });
}

function perform(database: Database, { work, done, failed }: Pending): () => void {
  database.run("SAVEPOINT step");
  try {
    const value = work();
    database.run("RELEASE step");
    return () => done(value);
  } catch (error) {
    database.run("ROLLBACK TO step");
    database.run("RELEASE step");
    return () => failed(error);
  }
}
