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

export function processesOf(home: string): Seen[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, "environ").split("\0").includes(`HOME=${home}`))
    .map((pid) => ({ pid: Number(pid), command: read(pid, "cmdline").replaceAll("\0", " ").trim() }))
    .filter(({ command }) => command !== "");
}
