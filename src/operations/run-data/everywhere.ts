// Everything that a person has going, in all their repositories: what waits for them first, then what works, then what
// ended. Read from the rows of the stores alone, so that it costs the same for ten runs and ten thousand.
import type { RunRow } from "../../core/contract/index.ts";
import { worstRisk, type GateRisk } from "../../core/machine/view/index.ts";
import type { Context, RepositoryRuns, SessionRow } from "../context/index.ts";
import { newestRows } from "./pages.ts";
import { withoutProcess, numbersOf, rowBrief, currentRows } from "./row.ts";

/** `stopped`: no process works on it, and it does not wait for a person. */
export type HomeGroup = "waits" | "works" | "stopped" | "ended";

export interface HomeRow {
  readonly repo: string;
  readonly runId: string;
  readonly goal: string;
  readonly mode: string;
  readonly state: string;
  readonly group: HomeGroup;
  readonly createdAt: number;
  /** Since when it waits, works or is over. */
  readonly since: number;
  /** One line: the question, the present work, or the reason of the end. */
  readonly why: string;
  /** Where it waits: what a careless yes can cost. */
  readonly risk: GateRisk | null;
  readonly gate: { readonly id: string; readonly kind: string; readonly title: string } | null;
  readonly stopReason: string | null;
  /** The size and the evidence of its work, and its cost, a few words each. */
  readonly numbers: readonly string[];
  /** Its work was taken out of the checkout again. */
  readonly undone?: true;
}

const over = ["completed", "failed", "aborted"];

interface BriefGate {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly risk?: GateRisk;
  readonly kinds?: readonly string[];
}

export function homeRow(repo: string, row: RunRow): HomeRow {
  const { doing = "", stopReason = null, gate, undone } = rowBrief(row);
  const open = (gate ?? null) as BriefGate | null;
  const ended = over.includes(row.state) && !open;
  const stopped = doing === withoutProcess || row.damaged !== undefined;
  return {
    repo,
    runId: row.runId,
    goal: row.goal,
    mode: row.mode,
    state: row.state,
    group: open ? "waits" : ended ? "ended" : stopped ? "stopped" : "works",
    createdAt: row.createdAt,
    since: row.updatedAt,
    why: open ? open.title : doing,
    risk: open ? (open.risk ?? worstRisk(open.kind, open.kinds)) : null,
    gate: open && { id: open.id, kind: open.kind, title: open.title },
    stopReason,
    numbers: numbersOf(row),
    ...(undone ? { undone } : {}),
  };
}

export interface Home {
  readonly repos: readonly {
    readonly repo: string;
    readonly runs: number;
    readonly problem: string | null;
  }[];
  /** Waiting ones first, by risk and age; then working ones; then the newest of the rest. */
  readonly rows: readonly HomeRow[];
  /** How many rows were left out, by `limit`. */
  readonly more: number;
  /** Sessions of the gateway that runs beside, newest first. */
  readonly sessions: readonly SessionRow[];
}

const groups: readonly HomeGroup[] = ["waits", "works", "stopped", "ended"];
const risks: readonly (GateRisk | null)[] = ["high", "medium", "low", null];

function order(one: HomeRow, other: HomeRow): number {
  const byGroup = groups.indexOf(one.group) - groups.indexOf(other.group);
  if (byGroup !== 0) return byGroup;
  if (one.group !== "waits") return other.since - one.since;
  return risks.indexOf(one.risk) - risks.indexOf(other.risk) || one.since - other.since;
}

/** A search, and a look at one group, read this far back. */
const searched = 10_000;

const found = (row: HomeRow, words: readonly string[]): boolean => {
  const text = `${row.goal} ${row.runId} ${row.repo} ${row.why} ${row.state}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

async function rowsOf(runs: RepositoryRuns, { limit, search, group }: Wanted): Promise<HomeRow[]> {
  const newest = await newestRows(runs, { most: search === "" && !group ? limit : searched });
  const waiting = await newestRows(runs, { most: searched, state: "awaiting_approval" });
  const all = new Map([...newest, ...waiting].map((row) => [row.runId, row]));
  return (await currentRows([...all.values()], runs)).map((row) => homeRow(runs.repo, row));
}

interface Wanted {
  readonly limit: number;
  readonly search: string;
  readonly group: HomeGroup | undefined;
}

export async function everywhere({ ports, folder }: Pick<Context, "ports" | "folder">, wanted: Wanted): Promise<Home> {
  const words = wanted.search.toLowerCase().split(/\s+/).filter(Boolean);
  const repos: Home["repos"][number][] = [];
  const rows: HomeRow[] = [];
  let total = 0;
  for (const repo of await ports.repositories(folder)) {
    try {
      await using runs = await ports.runs(repo);
      const count = await runs.count();
      repos.push({ repo, runs: count, problem: null });
      total += count;
      rows.push(...(await rowsOf(runs, wanted)));
    } catch (error) {
      // One store that cannot be read must not hide the others; it is named instead.
      repos.push({ repo, runs: 0, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  const kept = rows.filter((row) => (!wanted.group || row.group === wanted.group) && found(row, words));
  const shown = kept.sort(order).slice(0, Math.max(wanted.limit, kept.filter(({ group }) => group === "waits").length));
  const left = words.length > 0 || wanted.group ? kept.length - shown.length : total - shown.length;
  const sessions = wanted.group ? [] : await ports.gateway.sessions();
  const like = ({ id, title, kind, status }: SessionRow): boolean =>
    words.every((word) => `${id} ${title} ${kind} ${status}`.toLowerCase().includes(word));
  return {
    repos,
    rows: shown,
    more: Math.max(0, left),
    sessions: sessions.filter(like).slice(0, wanted.limit),
  };
}
