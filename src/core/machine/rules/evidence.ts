// A decider asks to see files: bounded, and only files that it has not seen.
import { connected } from "../call/sources.ts";
import { openGate } from "../gate/open.ts";
import { type Decision, type MachineDeps, emit } from "../decision.ts";
import type { Run } from "../state/index.ts";
import type { RoleDecision, DecidingPhase } from "./decision.ts";

/** Paths not captured yet, or only in part. */
function unseen(run: Run, paths: readonly string[]): string[] {
  const whole = new Set(
    run.contexts.flatMap(({ files }) => files.filter(({ truncated }) => !truncated).map(({ path }) => path)),
  );
  return [...new Set(paths)].filter((path) => !whole.has(path));
}

export function requestEvidence(run: Run, _phase: DecidingPhase, decision: RoleDecision, deps: MachineDeps): Decision {
  const { callId, role } = decision.call.record;
  const paths = [...decision.brief.requestedPaths, ...decision.brief.targetPaths];
  const stop = (
    kind: "repeated_repo_context_delegate" | "repeated_remote_repo_context_delegate",
    why: string,
  ): Decision =>
    openGate(run, deps, {
      kind,
      shown: [why, `The ${role} said: ${decision.brief.reason}`],
      refs: [decision.accepted.response],
      about: { callId, role },
    });
  if (run.remote?.context && decision.call.record.assignment.provider === connected)
    return stop(
      "repeated_remote_repo_context_delegate",
      "It was pointed at the remote repository and asks for evidence again.",
    );
  const fresh = unseen(run, paths);
  if (run.contexts.length > 0 && fresh.length === 0)
    return stop(
      "repeated_repo_context_delegate",
      "It asks for repository evidence again and names no path that it has not seen.",
    );
  return emit({
    type: "repo_context_requested",
    callId,
    role,
    paths: run.contexts.length > 0 ? fresh : paths,
  });
}
