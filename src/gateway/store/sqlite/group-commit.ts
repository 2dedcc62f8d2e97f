// Many small steps in one durable transaction: a disk flush costs more than all of their work. Each step is whole or
// undone on its own, and none is answered before the transaction is on the disk.
import type { Database } from "../../../platform/store/index.ts";

interface Step {
  readonly work: () => unknown;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

type Work = <T>(work: () => T) => Promise<T>;

/** The two kinds of steps on one database. */
export interface Steps {
  readonly database: Database;
  /** For reads: they wait for no commit. */
  readonly atOnce: Work;
  /** Answers when the change is on the disk. */
  readonly commit: Work;
}

export function stepsOn(database: Database): Steps {
  // oxlint-disable-next-line require-await -- the port is asynchronous, and a throw must reject
  return { database, atOnce: async (work) => work(), commit: groupCommit(database) };
}

function groupCommit(database: Database): Work {
  let waiting: Step[] = [];
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

function perform(database: Database, { work, done, failed }: Step): () => void {
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
