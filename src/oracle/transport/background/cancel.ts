// Ends a run from outside: first so that it can write its own result, then for certain.
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fail } from "../../../core/contract/index.ts";
import { isAlive, systemCode } from "../../../platform/system/index.ts";
import type { SessionFolder } from "../sessions/folder.ts";
import { type SessionState, type SilentMs, isSessionOpen, readSession } from "../sessions/read.ts";

const grace = 15_000;
const every = 50;

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself in this very moment.
    if (systemCode(error) !== "ESRCH") throw error;
  }
}

export async function cancelSession(
  folder: SessionFolder,
  now: () => number,
  silentMs?: SilentMs,
): Promise<SessionState> {
  const first = readSession(folder, now(), silentMs);
  if (!isSessionOpen(first.record)) return first;
  const owner = first.record.process;
  if (owner === null || isAlive(owner) === undefined)
    return fail("conflict", `Session "${folder.id}" runs on another machine or in another container.`, {
      remedy: `Cancel it there (${owner?.host ?? "unknown"}).`,
    });
  signalTo(owner.pid, "SIGTERM");
  const deadline = Date.now() + grace;
  for (;;) {
    const seen = readSession(folder, now(), silentMs);
    if (!isSessionOpen(seen.record)) return seen;
    // Its number could by now belong to another process; only the owner is signalled.
    const late = Date.now() - deadline;
    if (late > 0 && isAlive(owner) === true) signalTo(owner.pid, "SIGKILL");
    if (late > grace)
      return fail("conflict", `The process of "${folder.id}" (pid ${owner.pid}) does not end.`, {
        remedy: "It hangs in the system, perhaps on a lost disk; look at it with ps.",
      });
    await pause(every);
  }
}
