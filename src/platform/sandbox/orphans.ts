// When a runner is killed in the very moment in which bubblewrap sets up, a half-made sandbox can be left waiting for a
// parent that is no more. It never ran anything and never will; the next runner ends it.
import { readFileSync, statSync } from "node:fs";
import { processIds } from "../system/index.ts";

/** Stands in the command line of every sandbox of ours. */
export const sandboxMark = "thehood-sandbox";

const staleMs = 5_000;

/** Ends only what carries our mark, has lost its parent, has no children, and is not new. */
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
