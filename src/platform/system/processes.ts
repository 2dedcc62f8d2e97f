// The identity of processes (a reused pid, a reboot or another container is another process), marks, and starting programs.
import { readFileSync, readlinkSync, readdirSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import type { ChildProcess } from "node:child_process";
import { type LeaseOwner, systemCode, FailureError } from "../../core/contract/index.ts";

/** A pid means something only inside its pid namespace, so the namespace is part of the host's name. */
export function thisProcess(): LeaseOwner {
  return identityOf(process.pid);
}

export function identityOf(pid: number): LeaseOwner {
  return { pid, startedAt: startOf(pid) ?? "unknown", host: thisHost() };
}

/** `undefined` when it cannot be known from here: then only the lease's expiry decides. */
export function isAlive(owner: LeaseOwner): boolean | undefined {
  if (owner.host !== thisHost()) return undefined;
  const started = startOf(owner.pid);
  if (started === undefined) return false;
  if (started === "unknown" || owner.startedAt === "unknown") return undefined;
  return started === owner.startedAt;
}

let host: string | undefined;

function thisHost(): string {
  host ??= process.platform === "linux" ? `${hostname()} ${linkOr("/proc/self/ns/pid", "")}`.trim() : hostname();
  return host;
}

/** When the process started, from the system; undefined when the process is gone. */
function startOf(pid: number): string | undefined {
  if (process.platform === "linux") {
    const found = linuxStart(pid);
    if (found !== "unreadable") return found;
  }
  if (!answersSignal(pid)) return undefined;
  return process.platform === "darwin" ? psStart(pid) : "unknown";
}

function linuxStart(pid: number): string | "unreadable" | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in brackets and may itself hold brackets and spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${fields[19]}`;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ESRCH") return undefined;
    return code === "ENOENT" && answersSignal(process.pid) && !answersSignal(pid) ? undefined : "unreadable";
  }
}

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

function psStart(pid: number): string | undefined {
  try {
    return (
      process
        .getBuiltinModule("node:child_process")
        .execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" })
        .trim() || undefined
    );
  } catch (error) {
    return systemCode(error) === "ENOENT" ? "unknown" : undefined;
  }
}

function linkOr(path: string, otherwise: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return otherwise;
  }
}

/**
 * Programs of a run without a sandbox, and their descendants, carry two marks: a variable, which a program can drop, and
 * a hard limit on file locks, which is inherited through fork and exec and cannot be raised without special rights. Linux
 * has not used that limit since 2.4. Other systems have the variable alone.
 */
const variable = "THEHOOD_COMMAND";

export interface Mark {
  readonly name: string;
  /** Unique, and below the limit that this process has itself. */
  readonly locks: number;
  readonly env: Readonly<Record<string, string>>;
}

const mostLocks = Number.MAX_SAFE_INTEGER;

export function createProcessMark(name: string, chance: () => number = Math.random): Mark {
  const most = Math.min(mostLocks, (hardLimit("self") ?? mostLocks) - 1);
  return { name, locks: Math.floor(most * (0.5 + chance() / 2)), env: { [variable]: name } };
}

/** The processes that carry one of the marks. */
export function processesWithMark({ name, locks }: Mark): number[] {
  const word = `${variable}=${name}`;
  return processIds().filter((pid) => hardLimit(pid) === locks || wordsOf(pid, "environ").includes(word));
}

/** This process, or one that it descends from, was started by a run without a sandbox. */
export function isDescendantOfRun(): boolean {
  if (hardLimit("self") !== undefined) return true;
  return [process.pid, ...ancestors(process.ppid)].some((pid) =>
    wordsOf(pid, "environ").some((word) => word.startsWith(`${variable}=`)),
  );
}

const mostAncestors = 1_000;

function ancestors(first: number): number[] {
  const found: number[] = [];
  for (let pid = first; pid > 0 && found.length < mostAncestors; pid = parentOf(pid)) found.push(pid);
  return found;
}

function parentOf(pid: number): number {
  const stat = read(pid, "stat");
  // The program's name is in brackets and may itself hold brackets and spaces.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

/** The hard limit of file locks; undefined when it is unlimited or the system does not show it. */
function hardLimit(pid: number | "self"): number | undefined {
  const [, hard] = /^Max file locks +\S+ +(\d+)/m.exec(read(pid, "limits")) ?? [];
  return hard === undefined ? undefined : Number(hard);
}

const wordsOf = (pid: number, file: string): string[] => read(pid, file).split("\0");

/** Empty for a process that is gone, or that is another user's. */
function read(pid: number | "self", file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}

export function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

const lacking = (cause: unknown): FailureError =>
  new FailureError(
    {
      code: "out_of_resources",
      message: "A program could not be started: too many files are open in this process.",
      remedy: "Raise the limit (ulimit -n), then continue.",
    },
    { cause },
  );

/** EINVAL is the code for a descriptor of the program that is above the limit. */
const descriptorCodes: ReadonlySet<string | undefined> = new Set(["EMFILE", "ENFILE", "EINVAL"]);

/**
 * Fails at once when this process has no file descriptors left. Node then returns a child without pipes, and its reason
 * as an event that may come before any listener.
 */
export function startProgram<T extends ChildProcess>(start: () => T): T {
  let child: T;
  try {
    child = start();
  } catch (error) {
    if (descriptorCodes.has(systemCode(error))) throw lacking(error);
    throw error;
  }
  if ((child.stdio as ChildProcess["stdio"] | undefined) !== undefined) return child;
  child.on("error", () => undefined);
  throw lacking(undefined);
}
