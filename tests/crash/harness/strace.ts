// Runs a real program with one fault at one system call, and walks that fault over every boundary of the program.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { removeFolder } from "../../support/remove-folder.ts";

/** What to run. Lines the program writes to stdout are its acknowledgements. */
export interface Program {
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly exitCode: number | null;
  readonly killed: boolean;
  /** The program reached the call and the fault was put there. */
  readonly met: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** `when` is strace's: `3` the third such call of the program's main thread, `3+` the third and all after it. */
export interface Fault {
  readonly call: string;
  readonly when: string;
  readonly effect: "signal=SIGKILL" | `error=${string}` | `retval=${number}`;
}

/**
 * Everything by which a program of ours changes a disk; a name unknown to this machine is ignored by strace.
 * Opening is not among them: a kill before it leaves the same disk as a kill after the call before it.
 */
export const writingCalls = [
  "pwrite64",
  "write",
  "writev",
  "fdatasync",
  "fsync",
  "rename",
  "renameat",
  "renameat2",
  "unlink",
  "unlinkat",
  "rmdir",
  "mkdir",
  "mkdirat",
  "link",
  "linkat",
  "symlink",
  "ftruncate",
] as const;

export const hasStrace = spawnSync("strace", ["-e", "trace=none", "true"]).status === 0;

/**
 * Runs the program to its end, or to the fault. Only its main thread is traced, that is where SQLite writes, unless
 * `everyone`: then each process it starts meets the fault at its own k-th call, and all of them have ended on return.
 */
export async function runWithFault(
  program: Program,
  fault: Fault,
  { everyone = false, timeoutMs = 120_000 }: { everyone?: boolean; timeoutMs?: number } = {},
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "thehood-fault-"));
  const file = join(folder, "trace");
  const calls = `?${fault.call}`;
  const inject = `inject=${calls}:${fault.effect}:when=${fault.when}`;
  const whom = everyone ? ["-f"] : [];
  const watch = [...whom, "-qq", "-o", file, "-s", "0", "-e", `trace=${calls}`, "-e", inject];
  const strace: readonly [string, ...string[]] = ["strace", ...watch];
  try {
    const ended = await runProgram({ ...program, argv: [...strace, ...program.argv] }, timeoutMs);
    const trace = readFileSync(file, "latin1");
    return { ...ended, met: ended.killed || /\(INJECTED\)|killed by SIGKILL/.test(trace) };
  } finally {
    removeFolder(folder);
  }
}

/** `killAfterMs` ends it with kill -9 at that moment, if it is still there. */
export function runProgram(program: Program, timeoutMs = 120_000, killAfterMs?: number): Promise<Outcome> {
  const [command, ...rest] = program.argv;
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      cwd: program.cwd,
      env: { ...process.env, ...program.env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGABRT",
    });
    const fuse = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      clearTimeout(fuse);
      const late = new Error(`no end within ${timeoutMs} ms: ${program.argv.join(" ")}\n${stderr}`);
      if (signal === "SIGABRT") reject(late);
      else resolve({ exitCode, killed: signal === "SIGKILL" || exitCode === 137, met: false, stdout, stderr });
    });
  });
}

export interface Started<World> {
  readonly deps: World;
  readonly program: Program;
}

export interface Walk<World> {
  readonly calls: readonly string[];
  readonly effect: Fault["effect"];
  /** A fresh world for each trial. */
  readonly start: () => Started<World> | Promise<Started<World>>;
  /** Judges one trial and cleans its world away; what it throws fails the walk. */
  readonly check: (deps: World, outcome: Outcome, fault: Fault) => void | Promise<void>;
  /** `k` for one fault at the k-th call, `k+` for a fault that stays. */
  readonly sticky?: boolean;
  /** Only so many boundaries, spread over the whole program; all of them when left out. */
  readonly sample?: number | undefined;
  /** Draws the place of each boundary within its part of the program; the middle when left out. */
  readonly draw?: (() => number) | undefined;
  /** The fault meets the processes that the program starts, too. */
  readonly everyone?: boolean;
}

export interface WalkResult {
  /** How many trials met the fault, by call. */
  readonly met: Readonly<Record<string, number>>;
  readonly trials: number;
}

/**
 * For each call: the fault at its 1st, 2nd, 3rd … occurrence, until a run ends untouched. A first run without a fault
 * tells which calls the program makes at all; it must satisfy the check as well.
 */
export async function walkBoundaries<World>(walk: Walk<World>): Promise<WalkResult> {
  const counts = await countCalls(walk);
  const met: Record<string, number> = {};
  let trials = 0;
  const tryOne = async (call: string, k: number): Promise<boolean> => {
    const fault = { call, when: walk.sticky ? `${k}+` : `${k}`, effect: walk.effect };
    const { deps, program } = await walk.start();
    const outcome = await runWithFault(program, fault, { everyone: walk.everyone ?? false });
    trials += 1;
    await walk.check(deps, outcome, fault);
    if (outcome.met) met[call] = (met[call] ?? 0) + 1;
    return outcome.met;
  };
  if (walk.sample === undefined) {
    for (const call of counts.keys()) for (let k = 1; await tryOne(call, k);) k += 1;
  } else for (const { call, k } of spread(counts, walk.sample, walk.draw)) await tryOne(call, k);
  return { met, trials };
}

async function countCalls<World>(walk: Walk<World>): Promise<Map<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), "thehood-count-"));
  const file = join(folder, "trace");
  try {
    const { deps, program } = await walk.start();
    const calls = walk.calls.map((call) => `?${call}`).join(",");
    const strace = ["strace", "-qq", "-o", file, "-s", "0", "-e", `trace=${calls}`] as const;
    const outcome = await runProgram({ ...program, argv: [...strace, ...program.argv] });
    await walk.check(deps, outcome, { call: "none", when: "0", effect: walk.effect });
    const counts = new Map<string, number>();
    for (const [, call = ""] of readFileSync(file, "latin1").matchAll(/^(\w+)\(/gm))
      counts.set(call, (counts.get(call) ?? 0) + 1);
    return counts;
  } finally {
    removeFolder(folder);
  }
}

function spread(
  counts: ReadonlyMap<string, number>,
  sample: number,
  draw: () => number = () => 0.5,
): { call: string; k: number }[] {
  const all = [...counts].flatMap(([call, count]) =>
    Array.from({ length: count }, (_, index) => ({ call, k: index + 1 })),
  );
  const step = all.length / Math.min(sample, all.length);
  return Array.from({ length: Math.min(sample, all.length) }, (_, index) => (index + draw()) * step)
    .map((place) => all[Math.floor(place)])
    .filter((found) => found !== undefined);
}
