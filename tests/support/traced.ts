// System calls of a small program, in their order: what is on the disk at which moment, seen from outside.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect } from "vitest";

export const hasStrace = spawnSync("strace", ["-V"]).status === 0;

/** Runs the program, a module as text, with all that it starts. One line a call, with the names of the files. */
export function traced(folder: string, calls: string, program: string): string[] {
  const trace = join(folder, "trace");
  const ran = spawnSync(
    "strace",
    ["-f", "-y", "-o", trace, "-e", `trace=${calls}`, process.execPath, "--input-type=module", "-e", program],
    { encoding: "utf8" },
  );
  expect(ran.status, ran.stderr).toBe(0);
  return readFileSync(trace, "utf8").split("\n");
}
