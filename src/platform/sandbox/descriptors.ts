// Keeps our open files from a program: a program that inherits an open folder can leave any sandbox.
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync, readdirSync, statSync } from "node:fs";
import { startProgram, processIds } from "../system/index.ts";

const closeOnExec = 0o2000000;

/** Descriptors that would be inherited, beyond the standard three. Ours are marked to be closed; those our own parent
 * left open are not. */
function inheritable(): number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((fd) => fd > 2 && !isMarked(fd));
  } catch {
    return [];
  }
}

function isMarked(fd: number): boolean {
  try {
    const flags = readFileSync(`/proc/self/fdinfo/${fd}`, "latin1").match(/^flags:\s*([0-7]+)/m)?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    // Closed meanwhile, as the descriptor of the listing itself is.
    return true;
  }
}

type Stdio = ("pipe" | "ignore" | number)[];

/** Starts a program with a stdio list in which every inherited descriptor is covered by /dev/null. */
export function withCoveredDescriptors(wanted: Stdio, start: (stdio: Stdio) => ChildProcess): ChildProcess {
  const stray = inheritable().filter((fd) => fd >= wanted.length);
  if (stray.length === 0) return startProgram(() => start(wanted));
  const nothing = openSync("/dev/null", "r");
  try {
    const stdio: Stdio = [...wanted];
    while (stdio.length <= Math.max(...stray)) stdio.push("ignore");
    for (const fd of stray) stdio[fd] = nothing;
    return startProgram(() => start(stdio));
  } finally {
    closeSync(nothing);
  }
}

/** Part of the command line of every sandbox that this program starts. */
export const sandboxMark = "thehood-sandbox";

const staleMs = 5_000;

/** A runner that is killed during bubblewrap's set-up can leave a half-made sandbox that runs nothing. Only such ones are ended. */
export function endOrphans(): void {
  for (const pid of processIds()) if (isOrphan(pid)) kill(pid);
}

function isOrphan(pid: number): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, "latin1");
    if (!line.includes(`\0${sandboxMark}\0`) || process.pid === 1) return false;
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
    const isOurs = /^Name:\s*bwrap$/m.test(status) && /^PPid:\s*1$/m.test(status);
    return isOurs && children === "" && Date.now() - statSync(`/proc/${pid}`).mtimeMs > staleMs;
  } catch {
    // Gone, or another user's: not ours to end.
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
