// Test only: runs a program under strace and tells which programs it started and whom it talked to.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { removeFolder } from "../support/remove-folder.ts";

export interface Watched {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Every program that was started, as a path, each once. */
  readonly programs: readonly string[];
  /** Internet addresses that a process tried to reach. */
  readonly connections: readonly string[];
}

export function watchProcesses(argv: readonly string[], options: { cwd?: string; timeoutMs?: number } = {}): Watched {
  const folder = mkdtempSync(join(tmpdir(), "thehood-watch-"));
  const file = join(folder, "trace");
  try {
    const watch = ["-f", "-qq", "-s", "256", "-e", "trace=execve,execveat,connect", "-e", "signal=none", "-o", file];
    const done = spawnSync("strace", [...watch, ...argv], {
      encoding: "utf8",
      timeout: options.timeoutMs ?? 300_000,
      env: process.env,
      maxBuffer: 1 << 26,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const trace = readFileSync(file, "utf8");
    const started = [...trace.matchAll(/execve(?:at)?\((?:AT_FDCWD, )?"([^"]+)".* = 0$/gm)].map(
      (found) => found[1] ?? "",
    );
    const reached = [...trace.matchAll(/connect\(\d+, \{sa_family=AF_INET6?, ([^}]*)\}/g)].map(
      (found) => found[1] ?? "",
    );
    return {
      exitCode: done.status,
      stdout: done.stdout,
      stderr: done.stderr,
      programs: [...new Set(started)],
      connections: [...new Set(reached)],
    };
  } finally {
    removeFolder(folder);
  }
}
