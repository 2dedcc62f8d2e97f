// Runs in a list, by pages, newest first; one run is about 350 bytes, so that a host can list twenty without drowning.
import type { GateAnswer, GateKind, RunRow, Suggestion } from "../../core/contract/index.ts";
import type { RunBrief } from "../../core/machine/view/index.ts";
import type { Context, RepositoryRuns, RunWait, SessionRow } from "../context/index.ts";
import { cursorBehind, newestRows, readCursor } from "./pages.ts";

interface Brief {
  readonly doing?: string;
  readonly stopReason?: string | null;
  readonly undone?: true;
  readonly failureClass?: string | null;
  readonly next?: Suggestion | null;
  readonly gate?: unknown;
  /** US dollars as providers report them or as they are estimated. */
  readonly usd?: number;
  readonly usdEstimated?: true;
  readonly tokens?: number;
  readonly attempt?: RunBrief["attempt"];
  /** The size and the evidence of the present work. */
  readonly work?: RunBrief["work"];
}

export const rowBrief = (row: RunRow): Brief =>
  typeof row.brief === "object" && row.brief !== null ? (row.brief as Brief) : {};

const withDoubts = "completed_with_doubts";

/** The state of a run for people: an end with doubts says so. Any other state as it is. */
export const stateText = (state: string, stopReason: string | null | undefined): string =>
  stopReason === withDoubts ? withDoubts.replaceAll("_", " ") : state;

/** Why a run ended, in brackets, where its state does not say it. */
export const reasonText = (stopReason: string | null | undefined): string =>
  !stopReason || stopReason === "success" || stopReason === withDoubts ? "" : ` (${stopReason.replaceAll("_", " ")})`;

/** Kinds of gates that an approval does not pass, or not always, with an answer that they take; a test compares all kinds. */
const offeredAnswers: Readonly<Partial<Record<string, GateAnswer>>> = {
  repeated_failure: "revise",
  verifier_verdict: "revise",
  task_contradiction: "revise",
  provider_in_doubt: "retry",
} satisfies Partial<Record<GateKind, GateAnswer>>;

/** The answer that a list offers for the gate of a row. The row can name a kind that only a newer version knows. */
export function offeredAnswer(gate: unknown): GateAnswer {
  const kind = typeof gate === "object" && gate !== null && "kind" in gate ? String(gate.kind) : "";
  return offeredAnswers[kind] ?? "approve";
}

/** The size, the checks, the cost, the planted mistakes that were noticed; where there is little room, the last ones give way. */
export function numbersOf(row: RunRow): string[] {
  const { work, usd = 0 } = rowBrief(row);
  const cost = usd > 0 ? [`$${usd.toFixed(2)}`] : [];
  if (!work) return cost;
  return [
    `${work.files} ${work.files === 1 ? "file" : "files"} +${work.added} −${work.removed}`,
    ...(work.checks > 0 ? [`${work.passing === work.checks ? "✔" : "✘"} ${work.passing}/${work.checks}`] : []),
    ...cost,
    ...(work.planted > 0 ? [`${work.noticed}/${work.planted} noticed`] : []),
  ];
}

type RowsOfRuns = Pick<RepositoryRuns, "rows" | "holder" | "waits">;

const resting = ["awaiting_approval", "completed", "failed", "aborted"];

/** The rows as their runs stand now. */
export async function currentRows(rows: readonly RunRow[], runs: RowsOfRuns): Promise<RunRow[]> {
  const left: string[] = [];
  for (const row of rows) if (!restsAt(row) && (await runs.holder(row.runId)) === null) left.push(row.runId);
  const waits = await runs.waits(left);
  return rows.map((row) => standingRow(row, left.includes(row.runId), waits.get(row.runId)));
}

const restsAt = (row: RunRow): boolean =>
  row.damaged !== undefined || resting.includes(row.state) || Boolean(rowBrief(row).gate);

/** The step in the row of a run without a holder is old: the row says that no process works on it. A run with a holder keeps its step. */
function standingRow(row: RunRow, left: boolean, wait: RunWait | undefined): RunRow {
  const next = (suggest: "verify_log" | "watch" | "continue"): Suggestion => ({ suggest, runId: row.runId });
  if (row.damaged !== undefined)
    return { ...row, brief: { doing: `damaged: ${row.damaged}`, next: next("verify_log") } };
  if (restsAt(row)) return row;
  if (!left) return { ...row, brief: { ...rowBrief(row), next: next("watch") } };
  if (wait) return { ...row, brief: { doing: describeWait(wait), next: { suggest: "workers" } } };
  return { ...row, brief: { doing: withoutProcess, next: next("continue") } };
}

export interface ListedRuns {
  /** All runs of the repository. */
  readonly total: number;
  readonly rows: readonly RunRow[];
  readonly limit: number;
  readonly state: string | undefined;
  /** The next page begins behind this row; null on the last page. */
  readonly nextCursor: string | null;
  /** Runs that wait for a person and are older than this page. */
  readonly waiting: readonly RunRow[];
  /** Sessions of the gateway that runs beside. */
  readonly sessions: readonly SessionRow[];
}

interface PageRequest {
  readonly limit: number;
  readonly state?: string | undefined;
  readonly cursor?: string | undefined;
}

/** A page of runs as they stand now, newest first, from the rows of the store alone: it costs the same for ten runs and ten thousand. */
export async function listRuns(
  { ports, folder }: Pick<Context, "ports" | "folder">,
  { limit, state, cursor }: PageRequest,
): Promise<ListedRuns> {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  await using list = await ports.runs(folder);
  const found = await newestRows(list, { most: limit + 1, state, before });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const first = state === undefined && before === undefined;
  return {
    total: await list.count(),
    rows: await currentRows(rows, list),
    limit,
    state,
    nextCursor: last ? cursorBehind(last) : null,
    waiting: first && last ? await (await import("./waiting.ts")).waitingBehind(list, last, limit) : [],
    sessions: first ? (await ports.gateway.sessions()).slice(0, limit) : [],
  };
}

export const withoutProcess = "stopped: no process works on it";

/** A run of the fleet that no worker has taken up. The reason of the last try that failed says more than the workers that are there. */
export function describeWait({ needs, workers, trouble }: RunWait): string {
  const label = needs === "" ? "" : ` with the label ${needs}`;
  const there = workers === 0 ? "none is there" : workers === 1 ? "one is there" : `${workers} are there`;
  const why = trouble ? `the last try on ${trouble.host} failed: ${trouble.failure.message}` : there;
  return `waits for a worker of the shared store${label}; ${why}`;
}

export function compactRow(row: RunRow, most = 80) {
  const { doing, stopReason, failureClass, next } = rowBrief(row);
  return {
    runId: row.runId,
    goal: row.goal.slice(0, most),
    mode: row.mode,
    state: row.state,
    updatedAt: row.updatedAt,
    ...(doing ? { doing: doing.slice(0, most) } : {}),
    ...(stopReason ? { stopReason } : {}),
    ...(failureClass ? { failureClass } : {}),
    ...(next && row.state !== "completed" ? { next } : {}),
  };
}
