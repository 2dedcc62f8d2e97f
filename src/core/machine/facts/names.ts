// Names that a run gives: ids of calls, gates, revisions and side tasks, and a command as one line.
import type { Run } from "../state/index.ts";

export function nameFor(run: Run, kind: keyof Run["counters"]): string {
  const prefix = { call: "call", gate: "gate", revision: "rev", side: "side" }[kind];
  const tail = run.runId.slice(run.runId.indexOf("_") + 1).slice(-24);
  return `${prefix}_${tail}${String(run.counters[kind] + 1).padStart(4, "0")}`;
}

export const commandLine = (argv: readonly string[]): string =>
  argv.map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");

/** `1 path`, `2 paths`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
