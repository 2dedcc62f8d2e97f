// Copying git's index so that it still tells changed files from unchanged ones.
import { copyFileSync, statSync, utimesSync } from "node:fs";

/**
 * git compares a file's time with the index file's own time to know when equal times prove nothing. A copy must not be
 * younger than the original; a little older only makes git look at more files.
 */
export function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const seconds = (Math.floor(statSync(from).mtimeMs) - 1) / 1000;
  utimesSync(to, seconds, seconds);
}
