// Which commands of git a piece of work starts.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitProgram, useGitProgram } from "../../src/platform/git/index.ts";
import { tempFolder } from "./temp-folder.ts";

/** The commands in their order, as `rev-parse` or `write-tree`. */
export async function gitCalls(work: () => Promise<unknown>): Promise<string[]> {
  const [folder, usual] = [tempFolder("calls-"), gitProgram()];
  const [program, log] = [join(folder, "git"), join(folder, "log")];
  writeFileSync(log, "");
  writeFileSync(program, `#!/bin/sh\necho "$*" >> '${log}'\nexec '${usual}' "$@"\n`, { mode: 0o755 });
  useGitProgram(program);
  try {
    await work();
  } finally {
    useGitProgram(usual);
  }
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => line.split(" ").find((word) => !word.startsWith("-")) ?? "");
}
