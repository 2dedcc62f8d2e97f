// One run in a list, about 350 bytes, so that a host can list twenty without drowning.
import type { RunRow } from "../../contract/index.ts";

interface Brief {
  readonly doing?: string;
  readonly stopReason?: string | null;
  readonly next?: string | null;
}

export const briefOf = (row: RunRow): Brief =>
  typeof row.brief === "object" && row.brief !== null ? (row.brief as Brief) : {};

export function compactRow(row: RunRow, most = 80) {
  const { doing, stopReason, next } = briefOf(row);
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
