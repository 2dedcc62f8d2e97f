// A lock that the kernel holds: it dies with its holder, also in another container, and an empty file after a power loss
// is a free lock. SQLite takes it for us, because Node itself has no word for it. Nothing is ever written to the file, and
// nothing but SQLite may open it: closing any other handle on it would free the lock.
import { rmSync } from "node:fs";

interface KernelLock {
  release(): void;
}

const busy = 5;
const notADatabase = 26;

/** Undefined when a living process holds it; this process counts as well. */
export function tryKernelLock(file: string): KernelLock | undefined {
  // Loaded here: most commands lock nothing.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const handle = new DatabaseSync(file, { timeout: 0 });
  try {
    handle.exec("BEGIN EXCLUSIVE");
    return { release: () => handle.close() };
  } catch (error) {
    handle.close();
    const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
    if (code === busy) return undefined;
    if (code !== notADatabase) throw error;
    // Not a lock of this program: those are empty.
    rmSync(file, { force: true });
    return tryKernelLock(file);
  }
}

const pauseMs = 20;

/** Waits until the holder lets go or dies; undefined when `waitMs` are over. */
export async function kernelLock(file: string, waitMs: number): Promise<KernelLock | undefined> {
  const until = performance.now() + waitMs;
  for (;;) {
    const lock = tryKernelLock(file);
    if (lock || performance.now() >= until) return lock;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
