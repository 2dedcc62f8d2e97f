// Several attempts at one goal: runs of their own on the same base. A person takes one of them; the others end with the
// reason, and their work is kept under refs.
import { fail, isTerminal, type Actor, type Gate } from "../../core/contract/index.ts";
import { fold } from "../../core/machine/index.ts";
import { asksForResult, attemptOf, rankAttempts, whyBehind, type Attempt } from "../../core/machine/view/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import { newestRows } from "./pages.ts";
import { rowBrief } from "./row.ts";

export interface Attempts {
  readonly group: string;
  readonly goal: string;
  /** The best first, by facts. */
  readonly rows: readonly Attempt[];
  readonly taken: string | null;
}

/** The attempts of a group begin together; older groups than this many runs are not looked for. */
const mostRows = 5_000;

async function attemptNow(runs: RepositoryRuns, runId: string): Promise<Attempt | undefined> {
  const run = fold(await runs.events(runId));
  return run && attemptOf(run);
}

/** Null for a run that is no attempt. */
export async function attemptsOf(runs: RepositoryRuns, runId: string): Promise<Attempts | null> {
  const [first] = await runs.events(runId);
  if (first?.event.type !== "run_created" || !first.event.attempt) return null;
  const group = first.event.attempt.group ?? runId;
  const rows = await newestRows(runs, { most: mostRows });
  const ids = rows.filter((row) => rowBrief(row).attempt?.group === group).map((row) => row.runId);
  const found = await Promise.all([...new Set([...ids, runId])].map((id) => attemptNow(runs, id)));
  const ranked = rankAttempts(found.flatMap((attempt) => attempt ?? []));
  const taken = ranked.find(({ standing }) => standing === "taken")?.runId ?? null;
  return { group, goal: first.event.goal, rows: ranked, taken };
}

/** Where the work of one of several attempts is to be taken: refuses while another one works, and where another one was taken. */
export async function attemptsAt(
  runs: RepositoryRuns,
  runId: string,
  gate: Gate | undefined,
): Promise<Attempts | null> {
  if (!gate || !asksForResult(gate)) return null;
  const attempts = await attemptsOf(runs, runId);
  if (!attempts) return null;
  const others = attempts.rows.filter((one) => one.runId !== runId);
  const taken = others.find(({ standing }) => standing === "taken");
  if (taken)
    fail("conflict", `Attempt ${taken.number} at this goal, ${taken.runId}, was taken already.`, {
      remedy: "End this one, and its work is kept; or undo the other one first",
      suggestions: [{ suggest: "abort", runId }],
    });
  const open = others.filter(({ standing }) => standing === "working" || standing === "waits");
  const [one] = open;
  if (one)
    fail("conflict", `${open.length} of ${attempts.rows.length} attempts at this goal have no result yet.`, {
      remedy: "Compare them and take one when all have: thehood attempts. Or end the rest first",
      suggestions: open.map((attempt) => ({ suggest: "abort", runId: attempt.runId })),
    });
  return attempts;
}

/** When a person approved it. Of two that are approved at once, every process takes the first one. */
async function takenAt(runs: Pick<RepositoryRuns, "events">, runId: string): Promise<number> {
  const approved = (await runs.events(runId)).findLast(({ event }) => event.type === "approval_recorded");
  return approved?.at ?? Infinity;
}

/** The one that counts; undefined while none is taken. */
export async function firstTaken(
  runs: Pick<RepositoryRuns, "events">,
  { rows }: { readonly rows: readonly Pick<Attempt, "runId" | "standing">[] },
): Promise<string | undefined> {
  const taken = rows.filter(({ standing }) => standing === "taken");
  const timed = await Promise.all(taken.map(async ({ runId }) => ({ runId, at: await takenAt(runs, runId) })));
  return timed.toSorted((a, b) => a.at - b.at || (a.runId < b.runId ? -1 : 1))[0]?.runId;
}

/** Ends the attempts that were not taken, each with its reason; their work is pinned. This one may be among them. */
export async function endOthers(
  { tell, signal }: Pick<Context, "tell" | "signal">,
  runs: RepositoryRuns,
  runId: string,
  by: Actor,
): Promise<void> {
  const attempts = await attemptsOf(runs, runId);
  const first = attempts && (await firstTaken(runs, attempts));
  const taken = attempts?.rows.find((one) => one.runId === first);
  if (!attempts || !taken) return;
  for (const other of attempts.rows) {
    if (other.runId === taken.runId || isTerminal((await runs.status(other.runId)).state)) continue;
    const reason = whyBehind(other, taken);
    try {
      await runs.submit(other.runId, { type: "abort", reason, by });
    } catch (error) {
      // Another process ended it in the same moment.
      if (!isTerminal((await runs.status(other.runId)).state)) throw error;
    }
    await runs.loop(other.runId, { signal, waitMs: 30_000 });
    tell(`· attempt ${other.number} (${other.runId}) ended, its work is kept: ${reason}`);
  }
}
