// Other runs whose work changes the same files as this one: named where a person decides about it, with the ways on.
import { isTerminal, plainLine, visibleName, type RunEvent, type StoredEvent } from "../../core/contract/index.ts";
import type { RepositoryRuns } from "../context/index.ts";
import { rowBrief } from "./row.ts";

/** So many of the newest runs are looked at. */
const mostRuns = 100;
const mostPaths = 3;

/** The files of the work that a run captured last. */
function changedBy(events: readonly Pick<StoredEvent<RunEvent>, "event">[]): readonly string[] {
  const last = events.findLast(({ event }) => event.type === "isolated_patch_captured")?.event;
  return last?.type === "isolated_patch_captured" ? (last.patch?.changedPaths ?? []) : [];
}

const standing = (state: string): string => (state === "awaiting_approval" ? "waits for your decision" : "is not over");

/** One line for each run that is open and meets this one in a file, and what can be done; empty where none does. */
export async function meetingLines(
  runs: RepositoryRuns,
  runId: string,
  events: readonly StoredEvent<RunEvent>[],
): Promise<string[]> {
  const mine = new Set(changedBy(events));
  if (mine.size === 0) return [];
  const rows = await runs.rows({ limit: mostRuns });
  const own = rows.find((row) => row.runId === runId);
  const group = own && rowBrief(own).attempt?.group;
  const lines: string[] = [];
  for (const row of rows) {
    const attempt = rowBrief(row).attempt?.group;
    if (row.runId === runId || isTerminal(row.state) || row.damaged !== undefined) continue;
    if (group !== undefined && attempt === group) continue;
    const shared = changedBy(await runs.events(row.runId)).filter((path) => mine.has(path));
    if (shared.length === 0) continue;
    const rest = shared.length - mostPaths;
    const named = shared
      .slice(0, mostPaths)
      .map((path) => visibleName(path))
      .join(", ");
    const paths = `${named}${rest > 0 ? ` and ${rest} more` : ""}`;
    lines.push(`Also ${row.runId} (${plainLine(row.goal, 60)}) changes ${paths} and ${standing(row.state)}.`);
  }
  if (lines.length === 0) return [];
  return [
    ...lines,
    "You can take both: the second is put on top of the first and verified again. Or put this one on a branch (--branch NAME).",
  ];
}
