// Limits of what is measured.
import process from "node:process";

/** The words behind a measured value. A limit that does not hold makes the benchmark end with 1. */
export function judged(limit: string, holds: boolean): string {
  if (!holds) process.exitCode = 1;
  return `  (limit ${limit}: ${holds ? "ok" : "OVER"})`;
}
