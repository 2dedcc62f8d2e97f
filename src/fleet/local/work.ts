// One run of the queue in a process of its own.
import { spawn } from "node:child_process";
import type { QueuedEntry, TriedRun } from "../../operations/index.ts";

export interface LocalProgram {
  /** This program as a command: the file and its first words. */
  readonly program: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * It leads a group of its own and shares no pipe with this process: it goes on when this one is gone, and writes what it did
 * into the queue.
 */
export function startWork(
  { program, env }: LocalProgram,
  { runId, repo }: Pick<QueuedEntry, "runId" | "repo">,
  parallel: number,
): Promise<TriedRun> {
  const [file = "", ...args] = program;
  const words = ["queue", "work", runId, "--repo", repo, "--parallel", String(parallel), "--json", "--quiet"];
  const child = spawn(file, [...args, ...words], {
    cwd: repo,
    detached: true,
    stdio: "ignore",
    env,
    windowsHide: true,
  });
  // Ctrl-C ends this process while the run goes on.
  child.unref();
  return new Promise((resolve) => {
    child.once("error", ({ message }) =>
      resolve({ code: null, failure: `The run's process did not start: ${message}` }),
    );
    child.once("close", (code) => resolve({ code, failure: null }));
  });
}
