// Starts a program under bubblewrap and sees to it that nothing of it is left.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Readable, type Stream, Writable } from "node:stream";
import type { CommandRequest } from "../../contract/index.ts";
import { sandboxWords } from "./bubblewrap.ts";
import { withCoveredDescriptors } from "./descriptors.ts";
import { type ControlGroup, type ResourceLimits, openControlGroup, prlimitWords } from "./limits.ts";
import type { MountPlan } from "./mounts.ts";
import { type Supervised, supervise } from "./supervise.ts";

export interface ConfinedStart {
  readonly program: string;
  readonly prlimit: string | undefined;
  readonly request: CommandRequest;
  readonly env: Readonly<Record<string, string>>;
  readonly plan: MountPlan;
  readonly limits: ResourceLimits;
  /** Unique on this machine; names the control group. */
  readonly name: string;
}

const statusFd = 3;
const argsFd = 4;
const blockFd = 5;
const buryMs = 5_000;

export async function runConfined(start: ConfinedStart): Promise<Supervised> {
  const group = openControlGroup(start.name, start.limits);
  try {
    const child = launch(start);
    const status = readStatus(child, (pid) => {
      group?.joins.forEach((file) => join(file, pid));
      // Put under its limits, it may go on.
      give(pipeOf(child, blockFd), "\n");
    });
    const result = await supervise(child, start.request, () => child.kill("SIGKILL"));
    if (status.pid !== undefined) await buried(status.pid);
    if (result.ended === "exited" && !status.exited) return unstarted(result);
    return result;
  } finally {
    tidy(start.plan, group);
  }
}

function launch({ program, prlimit, request, env, plan, limits }: ConfinedStart): ChildProcess {
  const words = [
    ...sandboxWords({ mounts: plan.mounts, cwd: request.cwd, network: request.network, env }),
    "--json-status-fd",
    String(statusFd),
    "--block-fd",
    String(blockFd),
  ];
  const limited = prlimit === undefined ? [] : prlimitWords(prlimit, limits);
  const stdin = request.stdin === undefined ? "ignore" : "pipe";
  const child = withCoveredDescriptors([stdin, "pipe", "pipe", "pipe", "pipe", "pipe"], (stdio) =>
    spawn(program, ["--args", String(argsFd), "--", ...limited, ...request.argv], {
      cwd: "/",
      env: {},
      stdio,
      detached: true,
    }),
  );
  // bubblewrap may refuse and exit before it has read its words; its exit tells why.
  give(pipeOf(child, argsFd), words.map((word) => `${word}\0`).join(""));
  return child;
}

const pipeOf = (child: ChildProcess, fd: number): Stream | undefined =>
  (child.stdio as readonly (Stream | null | undefined)[])[fd] ?? undefined;

/** Writes and lets go of the pipe, whose open end would otherwise keep the program from counting as closed. */
function give(pipe: Stream | undefined, text: string): void {
  if (!(pipe instanceof Writable)) return;
  pipe.on("error", () => pipe.destroy());
  pipe.end(text, () => pipe.destroy());
}

interface Status {
  pid: number | undefined;
  exited: boolean;
}

/** bubblewrap says the pid it made, and later the exit code: without the latter the program never ran. */
function readStatus(child: ChildProcess, onPid: (pid: number) => void): Status {
  const status: Status = { pid: undefined, exited: false };
  const stream = pipeOf(child, statusFd) as Readable | undefined;
  let text = "";
  stream?.setEncoding("utf8");
  stream?.on("error", () => stream.destroy());
  stream?.on("data", (chunk: string) => {
    text += chunk;
    status.exited ||= text.includes('"exit-code"');
    const pid = status.pid === undefined && text.match(/"child-pid":\s*(\d+)/)?.[1];
    if (pid) {
      status.pid = Number(pid);
      onPid(status.pid);
    }
  });
  return status;
}

function join(file: string, pid: number): void {
  try {
    writeFileSync(file, String(pid));
  } catch (error) {
    // It may have died at once; then there is nothing to limit.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The death of the first process of a pid namespace ends all others before it becomes a zombie itself. */
async function buried(pid: number): Promise<void> {
  for (let waited = 0; isAlive(pid) && waited < buryMs; waited += 2) await sleep(2);
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}

function unstarted(result: Supervised): Supervised {
  const said = Buffer.from(result.output.bytes("stderr")).toString("utf8").trim();
  return {
    ...result,
    ended: "not_started",
    exitCode: null,
    error: said || "The sandbox could not be set up",
  };
}

function tidy(plan: MountPlan, group: ControlGroup | undefined): void {
  group?.remove();
  for (const folder of plan.made) {
    try {
      rmdirSync(folder);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // Not empty or gone: somebody outside the sandbox made it theirs meanwhile.
      if (code !== "ENOTEMPTY" && code !== "ENOENT") throw error;
    }
  }
}
