// Advances a run in a process of its own: it outlives whoever asked for it, and holds the run's lease while it works.
import { spawn } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fail, idPattern } from "../contract/index.ts";
import { noteEnded, noteStarted } from "./started.ts";

/** Longer than an ending process holds its lease, so that a run is never left between two. */
const waitSeconds = 20;

/** What it says beside the record: a fault with its stack, or nothing. */
function openLog(repo: string, runId: string): number {
  const folder = join(repo, ".thehood", "detached");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  return openSync(join(folder, `${runId}.log`), flags, 0o600);
}

export async function advanceDetached(repo: string, runId: string): Promise<void> {
  const entry = process.argv[1];
  if (entry === undefined) throw new TypeError("the program does not know its own entry");
  if (!idPattern.test(runId)) throw new TypeError(`${runId} is not a run id`);
  const log = openLog(repo, runId);
  try {
    const args = [...process.execArgv, entry, "continue", runId, "--repo", repo, "--quiet", "--json"];
    const child = spawn(process.execPath, [...args, "--wait", String(waitSeconds)], {
      cwd: repo,
      detached: true,
      stdio: ["ignore", "ignore", log],
      env: process.env,
      windowsHide: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    }).catch((error: unknown) =>
      fail(
        "interrupted",
        `No process could be started for run ${runId}: ${error instanceof Error ? error.message : String(error)}.`,
        {
          remedy: `The run is safe; advance it with: thehood continue ${runId}`,
        },
      ),
    );
    const pid = child.pid ?? 0;
    noteStarted(runId, { pid, startedAt: "", host: hostname() });
    child.once("exit", () => noteEnded(runId, pid));
    child.unref();
  } finally {
    closeSync(log);
  }
}
