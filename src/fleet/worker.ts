// A worker takes jobs from the queue and starts one process for each run, so a crash of one run does not affect others. On
// SIGTERM it takes no new job, and the processes hand their runs over at the next safe point.
import { spawn, type ChildProcess } from "node:child_process";
import { fstatSync } from "node:fs";
import type { Socket } from "node:net";
import { hostname } from "node:os";
import process from "node:process";
import { fail, type Failure } from "../core/contract/index.ts";
import { aborted, keepHeapSmall } from "../platform/http/index.ts";
import { serveHealth, type WorkerCounts } from "./health.ts";
import type { FleetQueue, Outcome, TickJob } from "./queue.ts";
import type { FleetLimits, FleetTables } from "./tables.ts";

/** The limits apply to the runs that this worker takes. */
export interface WorkerOptions extends FleetLimits {
  readonly labels: readonly string[];
  readonly concurrency: number;
  /** The port for health, readiness and metrics on loopback; undefined for none, 0 for a free one. */
  readonly healthPort: number | undefined;
  /** How long a run may take to its next safe point when the worker drains. */
  readonly graceSeconds: number;
  readonly signal: AbortSignal;
  /** The command that starts this program. */
  readonly program: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes one line of the log. */
  log(event: string, facts?: Readonly<Record<string, unknown>>): void;
  /** Starts the run of a schedule's tick. */
  tick(tick: TickJob): Promise<string>;
}

/** The process stopped before the run did: the job is offered again. */
const handedOver = 75;
const beatMs = 5_000;

interface Work {
  readonly id: string;
  readonly children: Map<string, ChildProcess>;
  /** The runs of this worker, with one that it is about to take. */
  readonly doing: Set<string>;
  readonly counts: WorkerCounts;
}

export async function serveWorker(
  queue: FleetQueue,
  tables: FleetTables,
  options: WorkerOptions,
): Promise<WorkerCounts> {
  keepHeapSmall();
  const { labels, concurrency, perRepository, signal, log } = options;
  const id = `${hostname()}-${process.pid}-${Date.now().toString(36)}`;
  const counts: WorkerCounts = { started: 0, ended: 0, handedOver: 0, failed: 0 };
  const work: Work = { id, children: new Map(), doing: new Set(), counts };
  const { children, doing } = work;
  let ready = false;
  /** The last heartbeat reached the database. */
  let reached = true;
  const beat = (): Promise<void> => tables.beat({ id, host: hostname(), pid: process.pid, labels, doing: [...doing] });
  const queueGone = new AbortController();
  const beatNow = (): void =>
    void beat()
      .then(() => queue.offerForgotten())
      .then(
        () => void (reached = true),
        (error: unknown) => {
          reached = false;
          log("beat failed", { error: String(error) });
          if (isTableGone(error)) queueGone.abort();
        },
      );
  const health = await serveHealth(options.healthPort, {
    ready: () => ready && reached,
    counts,
    doing: () => children.size,
  });
  await beat();
  const beats = setInterval(beatNow, beatMs);
  await queue.workTicks(async (job, tick) => {
    if (!(await tables.firstOf(job))) return;
    log("schedule made a run", { runId: await options.tick(tick), goal: tick.goal });
  });
  await queue.work(labels, { concurrency, perRepository }, (runId) => advance(runId, work, tables, options, beatNow));
  ready = true;
  log("worker ready", { id, labels, concurrency, ...(health ? { health: health.origin } : {}) });
  await aborted(AbortSignal.any([signal, queueGone.signal]));
  ready = false;
  await drain(queue, children, options);
  clearInterval(beats);
  await tables.leave(id);
  await health?.close();
  log("worker left", { ...counts });
  if (queueGone.signal.aborted)
    fail("store_unreachable", "The tables of the queue were removed while this worker served.", {
      remedy: "Start the worker again: it creates the queue and offers every run that is not over.",
    });
  return counts;
}

/** Advances a run in its own process if the limits allow it. */
async function advance(
  runId: string,
  { id, children, doing, counts }: Work,
  tables: FleetTables,
  options: WorkerOptions,
  beatNow: () => void,
): Promise<Outcome> {
  const { perRepository, perProvider, signal, log } = options;
  const limited = perRepository !== undefined || perProvider !== undefined;
  if (signal.aborted) return "again";
  doing.add(runId);
  if (limited && !(await tables.take(id, runId, { perRepository, perProvider }))) {
    doing.delete(runId);
    return "full";
  }
  counts.started += 1;
  const child = startChild(runId, options);
  children.set(runId, child);
  log("run started", { runId, pid: child.pid });
  const { code, words, failure } = await ended(child);
  children.delete(runId);
  doing.delete(runId);
  if (limited) beatNow();
  log("run left", { runId, code, ...(failure ? { failure } : {}), ...(words === "" ? {} : { words }) });
  if (code === 0 || failure) await noteTry(tables, runId, failure, log);
  counts[code === 0 ? "ended" : code === handedOver ? "handedOver" : "failed"] += 1;
  return code === 0 ? "done" : code === handedOver ? "again" : "later";
}

/** Asks the processes to hand their runs over, and kills them after the grace time. */
async function drain(
  queue: FleetQueue,
  children: ReadonlyMap<string, ChildProcess>,
  { graceSeconds, log }: WorkerOptions,
): Promise<void> {
  log("worker drains", { runs: [...children.keys()] });
  for (const child of children.values()) child.kill("SIGTERM");
  const late = setTimeout(() => {
    for (const child of children.values()) child.kill("SIGKILL");
  }, graceSeconds * 1_000);
  await queue.stop();
  clearTimeout(late);
}

/** The codes of PostgreSQL for a missing table or schema. */
const isTableGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["42P01", "3F000"].includes(String(error.code));

/** The process reads a pipe of this worker: when the worker dies, the pipe ends and the process stops. */
function startChild(runId: string, { program, env }: WorkerOptions): ChildProcess {
  const [file = "", ...args] = program;
  return spawn(file, [...args, "worker", "--run", runId, "--once", "--json"], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...env, [startedByWorker]: "1" },
    windowsHide: true,
  });
}

/** The end of a process: its exit code, the end of its error output, and its failure. */
interface Ended {
  readonly code: number;
  readonly words: string;
  readonly failure: Failure | undefined;
}

function ended(child: ChildProcess): Promise<Ended> {
  let errors = "";
  let output = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    errors = (errors + bytes.toString("utf8")).slice(-2_000);
  });
  child.stdout?.on("data", (bytes: Buffer) => {
    output = (output + bytes.toString("utf8")).slice(-100_000);
  });
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: 1, words: error.message, failure: undefined }));
    child.once("close", (code) =>
      resolve({ code: code ?? 1, words: errors.trim(), failure: code === 0 ? undefined : failureIn(output) }),
    );
  });
}

/** The failure in the JSON output of a process; undefined if it was killed before it wrote one. */
function failureIn(document: string): Failure | undefined {
  try {
    return (JSON.parse(document) as { readonly error?: Failure }).error;
  } catch {
    return undefined;
  }
}

/** The record is for users: a database that cannot be reached does not stop the next try. */
async function noteTry(
  tables: FleetTables,
  runId: string,
  failure: Failure | undefined,
  log: WorkerOptions["log"],
): Promise<void> {
  try {
    await tables.tried(runId, hostname(), failure);
  } catch (error) {
    log("note failed", { runId, error: String(error) });
  }
}

/** Set for the processes of a worker: their input is its pipe. */
const startedByWorker = "THEHOOD_STARTED_BY_WORKER";

/** A signal that fires when the worker of this process is gone: its input ends then. */
export function goneWithInput(env: WorkerOptions["env"]): AbortSignal {
  const gone = new AbortController();
  const input = fstatSync(0);
  if (env[startedByWorker] === "1" && (input.isFIFO() || input.isSocket())) {
    process.stdin.once("end", () => gone.abort());
    process.stdin.once("error", () => gone.abort());
    process.stdin.resume();
    // The listener must not keep the process alive.
    (process.stdin as Partial<Socket>).unref?.();
  }
  return gone.signal;
}
