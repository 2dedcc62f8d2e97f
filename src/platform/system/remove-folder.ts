// Takes away a folder that a process may still write into: a process that was killed has children that end a moment later,
// and each file that they make meanwhile keeps the folder from being empty.
import { rmSync } from "node:fs";
import { systemCode } from "./codes.ts";

const stillWritten = new Set<string | undefined>(["ENOTEMPTY", "EBUSY", "EEXIST"]);
const pauseMs = 50;

export function removeFolder(folder: string, waitMs = 5_000): void {
  for (let left = waitMs; ; left -= pauseMs) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left <= 0 || !stillWritten.has(systemCode(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
