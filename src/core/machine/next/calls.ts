// The next effect of an open call: directive, manifest, send; or, when a process died after sending, look for the response.
import type { CallRecord, DirectiveRecord, Effect } from "../../contract/index.ts";
import { leaving, needsManifest, purposeOf, transferPhrase } from "../call/sources.ts";
import { remainingBudget, workTree } from "../facts/index.ts";
import { draftDirective } from "../directive/index.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { withinTimeLeft } from "./time-left.ts";

const recordOf = ({ directive, ack, redactions }: DirectiveRecord): DirectiveRecord => ({
  directive,
  ack,
  redactions,
});

/** Reviewers read the tree under review in a folder of its own, never the checkout. */
function treeToRead(run: Run, { workspace }: CallRecord): string | null {
  const tree = workTree(run);
  return workspace === "read_only" && tree !== run.base.tree ? tree : null;
}

export function nextForCall(run: Run, call: AgentCall): Effect {
  const { record } = call;
  const { callId } = record;
  const timeoutMs = withinTimeLeft(run, run.created.policy.budgets.callTimeoutMs);
  const limits = remainingBudget(run);
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
      phrase: transferPhrase(call),
      sources: leaving(call),
      redactions: call.directive?.redactions ?? 0,
    };
  if (call.directive)
    return {
      kind: "call_provider",
      key: `call:${callId}`,
      call: record,
      record: recordOf(call.directive),
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
