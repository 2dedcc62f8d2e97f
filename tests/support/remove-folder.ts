// Takes away a folder of a test that a process may still write into: a process that was killed has children that end a
// moment later, and each file that they make meanwhile keeps the folder from being empty.
import { rmSync } from "node:fs";

const stillWritten = new Set(["ENOTEMPTY", "EBUSY", "EEXIST"]);
const tries = 600;
const waitMs = 100;

export function removeFolder(folder: string): void {
  for (let left = tries; ; left -= 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0 || !stillWritten.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
}
