// The next effects of open calls and side tasks: directive, manifest, send; or, when a process died after sending, reattach.
// Every call that is out is waited for, and at most one is on its way out.
import type { CallRecord, DirectiveRecord, Effect } from "../../contract/index.ts";
import { leaving, needsManifest, purposeOf } from "../call/sources.ts";
import { transferPhrase } from "../policy/index.ts";
import { measuredBy, remainingBudget, workTree, openSideTasks } from "../facts/index.ts";
import { draftDirective } from "../directive/draft.ts";
import { remoteLook } from "./planning.ts";
import type { AgentCall, Run, SideTask } from "../state/index.ts";
import { withinTimeLeft } from "../facts/budget.ts";

const recordOf = ({ directive, ack, redactions }: DirectiveRecord): DirectiveRecord => ({
  directive,
  ack,
  redactions,
});

/** Reviewers read the tree under review in a folder of its own, never the checkout. */
function treeToRead(run: Run, { workspace, purpose }: CallRecord): string | null {
  if (purpose === "blind_tests") return run.base.tree;
  const tree = workTree(run);
  return workspace === "read_only" && tree !== run.base.tree ? tree : null;
}

export function nextForCall(run: Run, call: AgentCall): Effect {
  const { record } = call;
  const { callId } = record;
  const timeoutMs = withinTimeLeft(run, run.created.policy.budgets.callTimeoutMs);
  const left = remainingBudget(run);
  const limits = { ...left, ...measuredBy(record.assignment, left.usd) };
  const baseCommit = run.base.commit;
  const readsTree = treeToRead(run, record);
  if (call.directive && call.posted)
    return {
      kind: "reattach_call",
      key: `call:${callId}`,
      call: record,
      record: recordOf(call.directive),
      posted: call.posted,
      timeoutMs,
      limits,
      baseCommit,
      readsTree,
    };
  if (needsManifest(call))
    return {
      kind: "write_transfer_manifest",
      key: `manifest:${callId}`,
      call: record,
      purpose: purposeOf(call),
      phrase: transferPhrase(purposeOf(call), record.assignment.provider),
      sources: leaving(call),
      redactions: call.directive?.redactions ?? 0,
      ...(call.directive?.secretKinds ? { secretKinds: call.directive.secretKinds } : {}),
    };
  if (call.directive)
    return {
      kind: "call_provider",
      key: `call:${callId}`,
      call: record,
      record: recordOf(call.directive),
      ...(call.manifest ? { approvedSha256: call.manifest.contentSha256 } : {}),
      timeoutMs,
      limits,
      baseCommit,
      readsTree,
    };
  return {
    kind: "write_directive",
    key: `directive:${callId}`,
    call: record,
    draft: draftDirective(run, record),
  };
}

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
  const { call, task } = front;
  const remote = call && !call.directive ? remoteLook(run, call.record.assignment) : undefined;
  const effect = remote ?? (call ? nextForCall(run, call) : nextForTask(run, task));
  return effect ? [...out, effect] : out;
}
