// The next effect of an open call: directive, manifest, send; or, when a process died after sending, look for the response.
import type { DirectiveRecord, Effect } from "../../contract/index.ts";
import { leaving, needsManifest, purposeOf, transferPhrase } from "../call/sources.ts";
import { draftDirective } from "../directive/index.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { withinTimeLeft } from "./time-left.ts";

const recordOf = ({ directive, ack, redactions }: DirectiveRecord): DirectiveRecord => ({
  directive,
  ack,
  redactions,
});

export function nextForCall(run: Run, call: AgentCall): Effect {
  const { record } = call;
  const { callId } = record;
  const timeoutMs = withinTimeLeft(run, run.created.policy.budgets.callTimeoutMs);
  const { baseCommit } = run.created;
  if (call.directive && call.posted)
    return {
      kind: "reattach_call",
      key: `call:${callId}`,
      call: record,
      record: recordOf(call.directive),
      posted: call.posted,
      timeoutMs,
      baseCommit,
    };
  if (needsManifest(call))
    return {
      kind: "write_transfer_manifest",
      key: `manifest:${callId}`,
      call: record,
      purpose: purposeOf(record),
      phrase: transferPhrase(record),
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
      baseCommit,
    };
  return {
    kind: "write_directive",
    key: `directive:${callId}`,
    call: record,
    draft: draftDirective(run, record),
  };
}
