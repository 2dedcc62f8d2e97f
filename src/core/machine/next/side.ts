// The next effects of side tasks: every call that is out, and at most one that is on its way out.
import type { Effect } from "../../contract/index.ts";
import { openSideTasks } from "../facts/index.ts";
import type { Run, SideTask } from "../state/index.ts";
import { nextForCall } from "./calls.ts";
import { withinTimeLeft } from "./time-left.ts";

function nextForTask(run: Run, task: SideTask): Effect | undefined {
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
  const timeoutMs = withinTimeLeft(run, run.created.policy.budgets.checkTimeoutMs);
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
    ...(job.requestedBy ? { onCopy: { tree: job.requestedBy.tree, timeoutMs } } : {}),
  };
}

/**
 * Waits overlap, sends do not: an item is prepared when all before it are out, so that a gate still stops those
 * behind it, and the log reads the same however long each response takes.
 */
export function nextOnSide(run: Run): readonly Effect[] {
  const open = openSideTasks(run).filter(({ call }) => !call?.result);
  const out = open.flatMap(({ call }) => (call?.posted ? [nextForCall(run, call)] : []));
  const front = run.side.gate ? undefined : open.find(({ call }) => !call?.posted);
  if (!front) return out;
  const effect = front.call ? nextForCall(run, front.call) : nextForTask(run, front.task);
  return effect ? [...out, effect] : out;
}
