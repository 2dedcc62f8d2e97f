// The next step of what was asked beside the loop.
import type { Effect } from "../../../contract/index.ts";
import { callOf } from "../facts.ts";
import { type Run, currentTask } from "../state/index.ts";
import { nextForCall } from "./calls.ts";

export function nextBeside(run: Run): Effect | undefined {
  const { side } = run;
  const task = currentTask(side);
  if (!task || side.gate || side.trouble) return undefined;
  const call = callOf(run, side.asking);
  if (call) return nextForCall(run, call);
  const { job } = task;
  if (job.job === "evidence")
    return {
      kind: "capture_git_evidence",
      key: `git:${job.id}`,
      moment: "asked",
      pass: run.passes.length - 1,
    };
  if (job.job !== "exec" || task.command) return undefined;
  const allowed = job.allowRisky || task.allowed;
  const key = `exec:${job.id}:${allowed ? "allowed" : "asked"}`;
  return {
    kind: "run_command",
    key,
    sideId: job.id,
    argv: job.argv,
    cwd: job.cwd,
    begun: task.begun,
    allowed,
    policy: run.created.policy,
  };
}
