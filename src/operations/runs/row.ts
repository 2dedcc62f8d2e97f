// One run in a list, about 350 bytes, so that a host can list twenty without drowning.
import type { GateAnswer, RunRow, Suggestion } from "../../contract/index.ts";
import type { Context, RepositoryRuns, SessionRow } from "../context/index.ts";

interface Brief {
  readonly doing?: string;
  readonly stopReason?: string | null;
  /** A text in rows that version 0.1.0 wrote. */
  readonly next?: Suggestion | string | null;
  readonly gate?: unknown;
}

export const rowBrief = (row: RunRow): Brief =>
  typeof row.brief === "object" && row.brief !== null ? (row.brief as Brief) : {};

/** Kinds of gates that an approval does not pass, or not in every case, and an answer that each of them takes. */
const otherAnswers: Readonly<Record<string, GateAnswer>> = {
  repeated_failure: "revise",
  verifier_verdict: "revise",
  provider_in_doubt: "retry",
};

/** The answer that a list offers for the gate of a row: one that the gate takes. */
export function offeredAnswer(gate: unknown): GateAnswer {
  const kind = typeof gate === "object" && gate !== null && "kind" in gate ? String(gate.kind) : "";
  return otherAnswers[kind] ?? "approve";
}

type RowsOfRuns = Pick<RepositoryRuns, "rows" | "holder">;

const resting = ["awaiting_approval", "completed", "failed", "aborted"];

/** The step in the row of a run without a holder is old: the row says that nobody is at work. A run with a holder keeps its step. */
export async function standingRow(row: RunRow, runs: RowsOfRuns): Promise<RunRow> {
  const next = (suggest: "verify_log" | "watch" | "continue"): Suggestion => ({ suggest, runId: row.runId });
  if (row.damaged !== undefined)
    return { ...row, brief: { doing: `damaged: ${row.damaged}`, next: next("verify_log") } };
  if (resting.includes(row.state) || rowBrief(row).gate) return row;
  if ((await runs.holder(row.runId)) !== null)
    return { ...row, brief: { ...rowBrief(row), next: next("watch") } };
  return { ...row, brief: { doing: nobodyAtWork, next: next("continue") } };
}

export interface ListedRuns {
  /** All runs of the repository. */
  readonly total: number;
  readonly rows: readonly RunRow[];
  readonly limit: number;
  readonly state: string | undefined;
  /** Sessions of the gateway that runs beside. */
  readonly sessions: readonly SessionRow[];
}

/** The newest runs as they stand now, from the rows of the store alone: it costs the same for ten runs and ten thousand. */
export async function listRuns(
  { ports, folder }: Pick<Context, "ports" | "folder">,
  { limit, state }: { readonly limit: number; readonly state?: string | undefined },
): Promise<ListedRuns> {
  await using list = await ports.runs(folder);
  const rows = await list.rows({ limit, ...(state === undefined ? {} : { state }) });
  return {
    total: await list.count(),
    rows: await Promise.all(rows.map((row) => standingRow(row, list))),
    limit,
    state,
    sessions: state === undefined ? (await ports.gateway.sessions()).slice(0, limit) : [],
  };
}

export const nobodyAtWork = "stopped: nobody is at work on it";

export function compactRow(row: RunRow, most = 80) {
  const { doing, stopReason, next } = rowBrief(row);
  return {
    runId: row.runId,
    goal: row.goal.slice(0, most),
    mode: row.mode,
    state: row.state,
    updatedAt: row.updatedAt,
    ...(doing ? { doing: doing.slice(0, most) } : {}),
    ...(stopReason ? { stopReason } : {}),
    ...(next && row.state !== "completed" ? { next } : {}),
  };
}
