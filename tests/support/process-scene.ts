// Processes that a test starts, found again by a mark of their own.
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";

export const confined = (await detectSandbox()).kind === "bubblewrap";

/** Command lines of running processes that hold a mark. */
export function running(mark: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
        const state = /^State:\s*(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
        return line.includes(mark) && state !== "Z" && state !== "X" ? [line] : [];
      } catch {
        return [];
      }
    });
}

/** A number of seconds that no other sleep on this machine has. */
export let marks = 0;

export const sleepMark = () => `${1_000_000 + process.pid * 100 + (marks += 1)}`;

export async function until(check: () => boolean, ms = 10_000): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(20)) if (check()) return true;
  return check();
}
