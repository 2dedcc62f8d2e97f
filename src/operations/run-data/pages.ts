// Rows of runs by pages, newest first.
import { fail, type RunRow } from "../../core/contract/index.ts";
import type { RepositoryRuns, RowQuery } from "../context/index.ts";

/** A store gives at most so many rows at once. */
const atOnce = 1_000;

interface Wanted {
  readonly most: number;
  readonly state?: string | undefined;
  readonly before?: RowQuery["before"] | undefined;
}

export async function newestRows(
  runs: Pick<RepositoryRuns, "rows">,
  { most, state, before }: Wanted,
): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  while (rows.length < most) {
    const last = rows.at(-1) ?? before;
    const limit = Math.min(atOnce, most - rows.length);
    const more = await runs.rows({
      limit,
      ...(state === undefined ? {} : { state }),
      ...(last ? { before: { updatedAt: last.updatedAt, runId: last.runId } } : {}),
    });
    rows.push(...more);
    if (more.length < limit) break;
  }
  return rows;
}

/** Names the last row of a page: a run that changes meanwhile moves to the front, so no run is listed twice behind it. */
export const cursorBehind = ({ updatedAt, runId }: RunRow): string => `${updatedAt}.${runId}`;

export function readCursor(cursor: string): NonNullable<RowQuery["before"]> {
  const [, at = "", runId = ""] = /^(\d{1,15})\.(\w{1,64})$/.exec(cursor) ?? [];
  if (runId === "")
    fail("invalid_input", "cursor: no list of runs gave out this cursor.", {
      remedy: "Take nextCursor of the page before, or leave it out for the newest runs.",
    });
  return { updatedAt: Number(at), runId };
}
