// The holder of a lease: a process named so that a reused pid, a reboot or another container is not taken for it.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import type { LeaseOwner } from "../../core/contract/index.ts";
import { systemCode } from "./codes.ts";

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
  host ??=
    process.platform === "linux" ? `${hostname()} ${linkOr("/proc/self/ns/pid", "")}`.trim() : hostname();
  return host;
}

/** The moment the process began as the system tells it; undefined when there is no such process any more. */
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
