// What runs on this machine for one desk: every process that has its home, inside a sandbox or not.
import { readFileSync, readdirSync } from "node:fs";

export interface Seen {
  readonly pid: number;
  readonly command: string;
}

function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    // Gone, or not ours to see.
    return "";
  }
}

function seen(wanted: (pid: string) => boolean): Seen[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && wanted(name))
    .map((pid) => ({ pid: Number(pid), command: read(pid, "cmdline").replaceAll("\0", " ").trim() }))
    .filter(({ command }) => command !== "");
}

export function processesOf(home: string): Seen[] {
  return seen((pid) => read(pid, "environ").split("\0").includes(`HOME=${home}`));
}

/** Every process that was started with this among its words. */
export function processesWith(word: string): Seen[] {
  return seen((pid) => read(pid, "cmdline").includes(word));
}
