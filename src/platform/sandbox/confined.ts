// Starts a program under bubblewrap and makes sure that no process of it is left.
//
// bubblewrap ties the lives of its processes together at the end of its set-up. A process that dies before that leaves
// the others behind. So the first process inside is a gate: it reports that the sandbox is ready and waits for one line.
// When this process dies or cancels, the line does not come and the program does not start.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { type Readable, type Stream, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandRequest } from "../../core/contract/index.ts";
import { bubblewrapArgs } from "./bubblewrap.ts";
import { withCoveredDescriptors, sandboxMark } from "./descriptors.ts";
import { type ControlGroup, type ResourceLimits, openControlGroup, prlimitArgs, systemCallFilter } from "./limits.ts";
import type { MountPlan } from "./mounts.ts";
import { takesInput, type Supervised, supervise } from "./supervise.ts";

interface ConfinedStart {
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
const gateFd = 5;
const filterFd = 6;
const buryMs = 5_000;

/** Reports that it is ready, waits for one line, and becomes the program without the gate's descriptor. */
const gate = ["/bin/sh", "-c", `echo >&${gateFd} && read -r go <&${gateFd} && exec "$@" ${gateFd}>&-`, sandboxMark];

export async function runConfined(start: ConfinedStart): Promise<Supervised> {
  const group = openControlGroup(start.name, start.limits);
  try {
    const child = launch(start);
    const status = readStatus(child);
    let stopped = false;
    const endTree = () => {
      stopped = true;
      // Until bubblewrap reports the pid of its child, ending it would orphan that child half made.
      if (status.pid === undefined && child.exitCode === null) return;
      child.kill("SIGKILL");
      if (status.pid !== undefined && !status.exited) end(status.pid);
    };
    status.onPid = () => {
      if (stopped) endTree();
    };
    atGate(child, () => {
      if (stopped || status.pid === undefined) return;
      for (const pid of family(status.pid)) group?.joins.forEach((file) => join(file, pid));
      give(pipeOf(child, gateFd), "go\n");
      status.started = true;
    });
    const result = await supervise(child, start.request, endTree);
    if (status.pid !== undefined) await buried(status.pid);
    if (result.ended === "exited" && !(status.started && status.exited)) return unstarted(result);
    return result;
  } finally {
    tidy(start.plan, group);
  }
}

function launch({ program, prlimit, request, env, plan, limits }: ConfinedStart): ChildProcess {
  const filter = systemCallFilter(process.arch);
  const words = [
    ...bubblewrapArgs({
      mounts: plan.mounts,
      cwd: request.cwd,
      network: request.network,
      nested: request.nested ?? false,
      env,
    }),
    "--json-status-fd",
    String(statusFd),
    ...(filter ? ["--seccomp", String(filterFd)] : []),
  ];
  const limited = prlimit === undefined ? [] : prlimitArgs(prlimit, limits);
  const stdin = takesInput(request) ? "pipe" : "ignore";
  const child = withCoveredDescriptors([stdin, "pipe", "pipe", "pipe", "pipe", "pipe", "pipe"], (stdio) =>
    spawn(program, ["--args", String(argsFd), "--", ...gate, ...limited, ...request.argv], {
      cwd: "/",
      env: {},
      stdio,
      detached: true,
    }),
  );
  // bubblewrap may refuse and exit before it has read its arguments; its exit code has the reason.
  give(pipeOf(child, argsFd), words.map((word) => `${word}\0`).join(""));
  give(pipeOf(child, filterFd), filter ?? "");
  return child;
}

const pipeOf = (child: ChildProcess, fd: number): Stream | undefined =>
  (child.stdio as readonly (Stream | null | undefined)[])[fd] ?? undefined;

/** Writes and lets go of the pipe, whose open end would otherwise keep the program from counting as closed. */
function give(pipe: Stream | undefined, data: string | Uint8Array): void {
  if (!(pipe instanceof Writable)) return;
  pipe.on("error", () => pipe.destroy());
  pipe.end(data, () => pipe.destroy());
}

function atGate(child: ChildProcess, arrive: () => void): void {
  const stream = pipeOf(child, gateFd) as Readable | undefined;
  stream?.on("error", () => stream.destroy());
  stream?.once("data", arrive);
}

interface Status {
  /** The first process of the sandbox. */
  pid: number | undefined;
  started: boolean;
  exited: boolean;
  onPid: () => void;
}

/** bubblewrap reports the pid of its child, and later the exit code. */
function readStatus(child: ChildProcess): Status {
  const status: Status = { pid: undefined, started: false, exited: false, onPid: () => undefined };
  const stream = pipeOf(child, statusFd) as Readable | undefined;
  let text = "";
  stream?.setEncoding("utf8");
  stream?.on("error", () => stream.destroy());
  stream?.on("data", (chunk: string) => {
    text += chunk;
    status.exited ||= text.includes('"exit-code"');
    const pid = status.pid === undefined && text.match(/"child-pid":\s*(\d+)/)?.[1];
    if (!pid) return;
    status.pid = Number(pid);
    status.onPid();
  });
  return status;
}

/** A process and what descends from it, while all of it waits at the gate. */
function family(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
    const below = children === "" ? [] : children.split(" ").map(Number);
    return [pid, ...below.flatMap(family)];
  } catch {
    return [pid];
  }
}

/** A signal or a write to a process that may be gone already. */
function unlessGone(act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const end = (pid: number) => unlessGone(() => process.kill(pid, "SIGKILL"));
const join = (file: string, pid: number) => unlessGone(() => writeFileSync(file, String(pid)));

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
  const stderr = Buffer.from(result.output.bytes("stderr")).toString("utf8").trim();
  return {
    ...result,
    ended: "not_started",
    exitCode: null,
    error: stderr || "The sandbox could not be set up",
  };
}

function tidy(plan: MountPlan, group: ControlGroup | undefined): void {
  group?.remove();
  for (const folder of plan.made) {
    try {
      rmdirSync(folder);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // Not empty or gone: a process outside the sandbox uses it now.
      if (code !== "ENOTEMPTY" && code !== "ENOENT") throw error;
    }
  }
}
