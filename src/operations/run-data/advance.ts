// The two ways to move a run: in this process, or in a process of its own that outlives the caller.
import { FailureError, type SideJob } from "../../core/contract/index.ts";
import type { MoveOptions, Context, LoopEnd, RepositoryRuns, Watcher } from "../context/index.ts";

const isBusy = (error: unknown): error is FailureError =>
  error instanceof FailureError && error.failure.code === "run_busy";

const lookAgainMs = 1_000;

/** Advances the run here, until it ends, a gate needs a person, or nothing moves. */
export async function advanceHere(
  runs: RepositoryRuns,
  runId: string,
  options: MoveOptions,
  given: { signal: AbortSignal; watcher: Watcher; busy(message: string): void },
): Promise<LoopEnd["stop"]> {
  const { maxCycles, besideOnly } = options;
  const { busy } = given;
  const { signal, watcher } = stoppingAt(options.until, given);
  for (let waitMs = options.waitMs; ; waitMs = lookAgainMs) {
    try {
      return (await runs.loop(runId, { maxCycles, besideOnly, waitMs, signal, watcher })).stop;
    } catch (error) {
      // The side task is recorded: the process that advances the run performs it. A failure here would make the caller ask twice.
      if (!isBusy(error) || !besideOnly || options.waitMs !== 0) throw error;
      if (waitMs === 0) busy(error.failure.message);
    }
    if (await besideSettled(runs, runId, options.from))
      return (await runs.status(runId)).gate ? "approval_required" : "no_progress";
  }
}

/** The same signal and watcher; after an event of this kind nothing further begins. */
function stoppingAt(
  until: MoveOptions["until"],
  { signal, watcher }: { signal: AbortSignal; watcher: Watcher },
): { signal: AbortSignal; watcher: Watcher } {
  if (until === undefined) return { signal, watcher };
  const reached = new AbortController();
  return {
    signal: AbortSignal.any([signal, reached.signal]),
    watcher: {
      ...watcher,
      event(stored, status) {
        watcher.event?.(stored, status);
        if (stored.event.type === until) reached.abort();
      },
    },
  };
}

/** Every side task that was requested after event `from` has ended, or one waits for a person. */
async function besideSettled(runs: RepositoryRuns, runId: string, from: number): Promise<boolean> {
  if ((await runs.gates(runId)).some(({ lane }) => lane === "side")) return true;
  const { sideTasks } = await runs.full(runId);
  const open = sideTasks.flatMap(({ id, end }) => (end === null ? [id] : []));
  return !(await jobsAfter(runs, runId, from)).some(({ id }) => open.includes(id));
}

/**
 * Has the run advanced by a process of its own, so that no client and no server takes it along when it dies. Where too
 * many processes already work, the run waits, and its status says that no process works on it.
 */
export async function advanceDetached(
  runs: RepositoryRuns,
  runId: string,
  { besideOnly = false, waitSeconds = 0, from, maxCycles }: MoveOptions,
  { ports, signal, tell }: Pick<Context, "ports" | "signal" | "tell">,
): Promise<"followed"> {
  if (!besideOnly && (await runs.idle(runId))) return "followed";
  try {
    await ports.detach(runs.repo, runId, { besideOnly, maxCycles });
  } catch (error) {
    if (isBusy(error)) return "followed";
    throw error;
  }
  if (waitSeconds <= 0) return "followed";
  const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(waitSeconds * 1_000))]);
  const { withTicks } = await import("./watched.ts");
  let reported = "";
  for await (const seen of withTicks(runs.watch(runId, from + 1, limit), lookAgainMs)) {
    if (seen === "tick") {
      const now = await presentWork(runs, runId);
      if (now !== "" && now !== reported) tell(now);
      reported = now;
      continue;
    }
    const { event } = seen;
    tell(`${event.type.replaceAll("_", " ")}: ${(await runs.status(runId)).monitor.doing}`);
    if (event.type === "approval_required" || (await settled(runs, runId, besideOnly))) break;
  }
  return "followed";
}

/** Without ages: it is reported again when it changes. */
async function presentWork(runs: RepositoryRuns, runId: string): Promise<string> {
  const { activities } = await runs.live(runId);
  return activities.map(({ who, does, says }) => `${who}: ${does?.text ?? says?.text ?? "at work"}`).join("; ");
}

const settled = async (runs: RepositoryRuns, runId: string, besideOnly: boolean): Promise<boolean> =>
  besideOnly ? (await runs.full(runId)).sideTasks.every(({ end }) => end !== null) : runs.idle(runId);

/** The jobs that were asked for after event `from`. */
export async function jobsAfter(runs: RepositoryRuns, runId: string, from: number): Promise<SideJob[]> {
  const events = await runs.events(runId, from + 1);
  return events.flatMap(({ event }) => (event.type === "side_requested" ? [event.job] : []));
}
