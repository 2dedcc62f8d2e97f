// One integration into a checkout at a time. Two kernel locks: the integrator holds the first, and the process that
// carries the move out holds the second, so that a move goes on under a lock when the integrator dies.
import { join } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import { kernelLock, tryKernelLock } from "../../../platform/system/index.ts";

export interface ApplyLock {
  /** Lets the mover take the second lock. */
  lend(): void;
  /** Takes the second lock again; the mover is gone or will be soon. */
  takeBack(): Promise<void>;
  release(): void;
}

/** Longer than any move takes. A stopped process holds its lock, so the wait has a deadline. */
const longestMs = 300_000;

const lockFile = (folder: string) => join(folder, "lock.db");
export const moverLockFile = (folder: string) => join(folder, "mover.db");

function busy(folder: string): never {
  return fail("run_busy", `Another process is applying a patch to this checkout (${folder}).`, {
    remedy: "Wait until it is done, or end it if it hangs; then continue.",
  });
}

/** Waits for a holder that lives. Undefined when there is one after `waitMs`. */
export async function tryLockApplies(folder: string, waitMs = 0): Promise<ApplyLock | undefined> {
  const first = waitMs === 0 ? tryKernelLock(lockFile(folder)) : await kernelLock(lockFile(folder), waitMs);
  if (!first) return undefined;
  let second = await kernelLock(moverLockFile(folder), waitMs);
  if (!second) {
    first.release();
    return undefined;
  }
  return {
    lend: () => {
      second?.release();
      second = undefined;
    },
    takeBack: async () => {
      second ??= (await kernelLock(moverLockFile(folder), longestMs)) ?? busy(folder);
    },
    release: () => {
      second?.release();
      first.release();
    },
  };
}

export async function lockApplies(folder: string, waitMs = longestMs): Promise<ApplyLock> {
  return (await tryLockApplies(folder, waitMs)) ?? busy(folder);
}
