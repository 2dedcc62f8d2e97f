// One log through the schema and the machine: each event is one that this program would write, in an order that makes a
// run, and the row follows from it.
import {
  FailureError,
  type RunEvent,
  type RunRow,
  type StoredEvent,
  type VerifyProblem,
} from "../../../core/contract/index.ts";
import { readEvent } from "../../engine/index.ts";
import { evolve, rowOf, type Run } from "../../../core/machine/index.ts";

const plain = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;

/** Words of a brief may change with the program; its counts and names may not. */
const facts = ["stopReason", "pass", "responses", "tokens", "report"] as const;

function rowProblem(run: Run, updatedAt: number, row: RunRow): string | undefined {
  const made = rowOf(run);
  for (const name of ["createdAt", "goal", "mode", "state"] as const)
    if (row[name] !== made[name]) return `its row says ${name} ${row[name]}, its log says ${made[name]}`;
  if (row.updatedAt !== updatedAt) return "its row has another time than the end of its log";
  const brief = plain(row.brief) ?? {};
  const wrong = facts.find((name) => name in brief && brief[name] !== made.brief[name]);
  if (wrong !== undefined) return `its row says ${wrong} ${String(brief[wrong])}, its log ${String(made.brief[wrong])}`;
  const gate = plain(brief["gate"])?.["id"] ?? null;
  return gate === (made.brief.gate?.id ?? null) ? undefined : "its row names another gate than its log";
}

type Found = Omit<VerifyProblem, "runId">;

/** The work beside the loop that an event ends once more. The loop bears that; a log of ours never holds it. */
function endedBefore(run: Run | undefined, event: RunEvent): string | undefined {
  const { tasks = [], fanouts = [], reconciled = null } = run?.side ?? {};
  const over =
    (event.type === "side_completed" && tasks.some(({ job, end }) => job.id === event.sideId && end)) ||
    (event.type === "agent_fanout_completed" && fanouts.some(({ groupId, end }) => groupId === event.groupId && end)) ||
    (event.type === "reconciliation_completed" && reconciled?.sideId === event.sideId);
  return over ? "it ends what has ended" : undefined;
}

function foldEvents(events: readonly StoredEvent[]): { run: Run | undefined; problem?: Found } {
  let run: Run | undefined;
  let last = 0;
  for (const stored of events) {
    const { seq, at } = stored;
    const refuse = (kind: Found["kind"], problem: string) => ({ run, problem: { kind, seq, problem } });
    if (at < last) return refuse("chain", `event ${seq} is older than the one before it`);
    last = at;
    let read: StoredEvent<RunEvent>;
    try {
      read = readEvent(stored);
    } catch (error) {
      if (error instanceof FailureError) return refuse("version", error.failure.message);
      throw error;
    }
    const twice = endedBefore(run, read.event);
    if (twice !== undefined) return refuse("chain", `event ${seq} cannot follow the ones before it: ${twice}`);
    try {
      run = evolve(run, { seq, at, event: read.event });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return refuse("chain", `event ${seq} cannot follow the ones before it: ${error.message}`);
    }
  }
  return { run };
}

/** The first thing that is wrong with the log, or with its row. */
export function foldProblem(events: readonly StoredEvent[], row: RunRow | undefined): Found | undefined {
  const { run, problem } = foldEvents(events);
  if (problem || !run) return problem;
  const end = events.at(-1);
  const wrong = row && end && row.seq === end.seq ? rowProblem(run, end.at, row) : undefined;
  return wrong === undefined ? undefined : { kind: "row", problem: wrong };
}
