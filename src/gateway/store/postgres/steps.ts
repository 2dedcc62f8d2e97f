// Runs the steps of the store on PostgreSQL.
import type { Connection } from "../../../platform/store/postgres/index.ts";
import { awaitStep, rowsOf, type Step, type StepDatabase } from "../steps.ts";

const numbered = (sql: string): string => {
  let count = 0;
  return sql.replaceAll("?", () => `$${(count += 1)}`);
};

export const stepOn = <T>(all: Connection["all"], step: Step<T>): Promise<T> =>
  awaitStep(step, ({ sql, values }) => all(numbered(sql), values));

export const sharedDatabase = ({ all, together }: Connection, schema: string): StepDatabase => ({
  table: (name) => `${schema}.gateway_${name}`,
  forUpdate: "FOR UPDATE",
  status: "data::json->>'status'",
  labelColumn: false,
  lockRun: (runId) => rowsOf("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", `${schema} gateway run ${runId}`),
  addStop: (sessionId, dueAt) =>
    rowsOf(`INSERT INTO ${schema}.gateway_outbox (session_id, attempts, due_at) VALUES (?, 0, ?)`, sessionId, dueAt),
  read: (step) => stepOn(all, step()),
  write: (step) => together((one, again) => stepOn(one, step(again))),
});
