// The figures of the runs that changed within some days, here or in all repositories of the user.
import {
  type FiguresRow,
  type FiguresTotal,
  figuresOf,
  type RunFigures,
  sumOfRuns,
  sumsBy,
} from "../../core/machine/view/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import { newestRows } from "./pages.ts";

interface Wanted {
  readonly days: number;
  readonly by?: "role" | "model" | "repo" | undefined;
  readonly everywhere: boolean;
}

export interface Stats {
  readonly days: number;
  readonly since: string;
  readonly by: Wanted["by"] | null;
  readonly total: FiguresTotal;
  readonly rows: readonly FiguresRow[];
  /** Repositories whose runs could not be read, with the reason. */
  readonly problems: readonly { readonly repo: string; readonly problem: string }[];
  /** Older runs of the same days that were left out, because there are too many. */
  readonly left: number;
}

/** The log of each run is read: a bound for a store with very many. */
const most = 5_000;

async function figuresSince(runs: RepositoryRuns, since: number): Promise<{ figures: RunFigures[]; left: boolean }> {
  const rows = await newestRows(runs, { most: most + 1 });
  const recent = rows.filter(({ updatedAt }) => updatedAt >= since);
  const figures: RunFigures[] = [];
  for (const { runId } of recent.slice(0, most)) figures.push(figuresOf(await runs.events(runId)));
  return { figures, left: recent.length > most };
}

export async function statsOf(
  { ports, folder }: Pick<Context, "ports" | "folder">,
  { days, by, everywhere }: Wanted,
  now: number,
): Promise<Stats> {
  const since = now - days * 86_400_000;
  const problems: { repo: string; problem: string }[] = [];
  const byRepo = new Map<string, RunFigures[]>();
  let left = 0;
  for (const repo of everywhere ? await ports.repositories(folder) : [folder]) {
    try {
      await using runs = await ports.runs(repo);
      const found = await figuresSince(runs, since);
      byRepo.set(runs.repo, found.figures);
      if (found.left) left = Math.max(left, (await runs.count()) - most);
    } catch (error) {
      // Here the failure is the answer; elsewhere one store that cannot be read must not hide the others.
      if (!everywhere) throw error;
      problems.push({ repo, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  const all = [...byRepo.values()].flat();
  return {
    days,
    since: new Date(since).toISOString(),
    by: by ?? null,
    total: sumOfRuns(all),
    rows: rowsBy(by, all, byRepo),
    problems,
    left,
  };
}

function rowsBy(
  by: Wanted["by"],
  all: readonly RunFigures[],
  byRepo: ReadonlyMap<string, readonly RunFigures[]>,
): FiguresRow[] {
  if (by === undefined) return [];
  if (by !== "repo") return sumsBy(by === "model" ? "agent" : "role", all);
  return [...byRepo].map(([repo, figures]) => ({ ...sumOfRuns(figures), name: repo }));
}
