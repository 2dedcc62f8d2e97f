// What fan-out scenarios share: what is asked, how it ended, and a process that is killed in the middle of it.
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import type { SummonRequest } from "../../src/core/contract/index.ts";
import type { Scenario } from "./harness.ts";

export const ask = (role: SummonRequest["role"], more: Partial<SummonRequest> = {}): SummonRequest => ({
  role,
  kind: "review",
  brief: "look at it",
  persona: null,
  constraints: [],
  evidenceRefs: [],
  agent: null,
  ...more,
});

export const ends = (run: Scenario) => run.run.side.tasks.map(({ end }) => end?.outcome);

/** Lets a process of its own advance the run, and kills it as soon as it has told enough events; then looks anew. */
export async function killedAfter(
  run: Scenario,
  enough: (told: readonly string[]) => boolean,
): Promise<{ readonly killed: boolean }> {
  const program = join(import.meta.dirname, "continue-program.ts");
  const child = spawn(process.execPath, [program, run.dir, run.runId], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise<boolean>((resolve) => {
    child.on("close", (_, signal) => resolve(signal === "SIGKILL"));
  });
  let seen = "";
  child.stdout.on("data", (chunk: Buffer) => {
    seen += chunk.toString();
    if (enough(seen.split("\n").slice(0, -1))) child.kill("SIGKILL");
  });
  const killed = await closed;
  await run.reopen();
  return { killed };
}
