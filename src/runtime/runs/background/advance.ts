// Advances a run in a process of its own: it outlives the caller, and holds the run's lease while it works.
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { diskFailure, fail, idPattern } from "../../../core/contract/index.ts";
import { locateRepository } from "../../../platform/git/index.ts";
import { noteRequest, countStarted, mostStarted, noteEnded, noteStarted, type AdvanceRequest } from "./started.ts";

/** Longer than an ending process holds its lease, so that a run is never left between two. */
const waitSeconds = 20;

/** The file for the standard error of the process: a fault with its stack, or nothing. A full disk takes no log. */
function openLog(repo: string, runId: string): number | undefined {
  const folder = join(locateRepository(repo).stateDir, "detached");
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openSync(join(folder, `${runId}.log`), flags, 0o600);
  } catch (error) {
    if (diskFailure(error) === undefined) throw error;
    return undefined;
  }
}

interface Detached {
  readonly repo: string;
  readonly runId: string;
  /** Only the tasks that were asked for beside the loop. */
  readonly besideOnly?: boolean | undefined;
  /** The process stops after this many rounds of the runner. */
  readonly maxCycles?: number | undefined;
  /** The variables of the new process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

function start({ repo, runId, env, maxCycles }: Detached, request: AdvanceRequest): ChildProcess {
  const entry = process.argv[1];
  if (entry === undefined) throw new TypeError("the program does not know its own entry");
  const args = ["continue", runId, "--repo", repo, "--quiet", "--json", "--wait", String(waitSeconds)];
  if (request === "beside") args.push("--beside");
  if (maxCycles !== undefined) args.push("--max-cycles", String(maxCycles));
  const log = openLog(repo, runId);
  try {
    return spawn(process.execPath, [...process.execArgv, entry, ...args], {
      cwd: repo,
      detached: true,
      stdio: ["ignore", "ignore", log ?? "ignore"],
      env,
      windowsHide: true,
    });
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/** One process a run: a request that comes while it works is served by it, or by the one that follows it. */
export async function advanceDetached(detached: Detached): Promise<void> {
  const { runId } = detached;
  if (!idPattern.test(runId)) throw new TypeError(`${runId} is not a run id`);
  const request = detached.besideOnly === true ? "beside" : "all";
  if (noteRequest(runId, request)) return;
  if (countStarted() >= mostStarted) return void waiting.set(runId, merged(waiting.get(runId), detached));
  waiting.delete(runId);
  const child = start(detached, request);
  noteStarted(runId, { pid: child.pid ?? 0, startedAt: "", host: hostname() });
  child.once("exit", () => {
    const again = noteEnded(runId);
    // The limit was that of the request which is served now.
    if (again) advanceDetached({ ...detached, besideOnly: again === "beside", maxCycles: undefined }).catch(printError);
    startNext();
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  }).catch((error: unknown) => {
    noteEnded(runId);
    startNext();
    fail("interrupted", `No process could be started for run ${runId}: ${String(error)}.`, {
      remedy: `The run is safe; advance it with: thehood continue ${runId}`,
    });
  });
  child.unref();
}

/** Runs that wait for a place, in the order in which they came. They are safe: without this process, `continue` does it. */
const waiting = new Map<string, Detached>();

/** The whole run, when one of two requests wants it. */
const merged = (before: Detached | undefined, now: Detached): Detached =>
  before && before.besideOnly !== true ? before : now;

function startNext(): void {
  const [next] = waiting.values();
  if (next && countStarted() < mostStarted) advanceDetached(next).catch(printError);
}

/** No caller waits for the process that follows; the status of the run shows that no process works on it. */
const printError = (error: unknown): void => {
  process.stderr.write(`thehood: ${error instanceof Error ? error.message : String(error)}\n`);
};
