// An effect that failed as data: what that means depends on what was tried.
import type { Effect, EffectOutcome, RunEvent } from "../../../contract/index.ts";
import { plainLine } from "../../../contract/index.ts";
import { callOf } from "../facts.ts";
import { type Run, currentTask, isEnded } from "../state/index.ts";

type Failed = Extract<EffectOutcome, { kind: "effect_failed" }>;

const nothing = { inputTokens: 0, outputTokens: 0, estimated: false };

/** Before posting nothing was sent; after it nobody can say. */
function callFailed(
  run: Run,
  effect: Extract<Effect, { kind: "call_provider" | "reattach_call" }>,
  failed: Failed,
): RunEvent[] {
  const { callId, role, lane } = effect.call;
  const why = plainLine(failed.message, 1_000);
  const posted = callOf(run, callId)?.posted;
  const outcome = posted
    ? ({ result: "in_doubt", why } as const)
    : ({ result: "not_sent", why, remedy: failed.remedy } as const);
  return [{ type: "agent_response", callId, role, lane, outcome, usage: nothing, tookMs: 0, artifacts: [] }];
}

function sideFailed(run: Run, message: string): RunEvent[] {
  const task = currentTask(run.side);
  return task
    ? [{ type: "side_completed", sideId: task.job.id, outcome: "failed", why: message, artifact: null }]
    : [];
}

function belongsToSide(run: Run, effect: Effect): boolean {
  if (effect.kind === "run_command") return true;
  if (effect.kind === "capture_git_evidence") return effect.moment === "asked";
  return "call" in effect && effect.call.lane === "side" && run.side.asking === effect.call.callId;
}

export function effectFailed(run: Run, effect: Effect, failed: Failed): RunEvent[] {
  const message = plainLine(failed.message, 1_000);
  if (effect.kind === "call_provider" || effect.kind === "reattach_call")
    return callFailed(run, effect, failed);
  if (belongsToSide(run, effect)) return sideFailed(run, message);
  if (effect.kind === "apply_patch")
    return [{ type: "integration_blocked", pass: effect.pass, reason: "failed", message, paths: [] }];
  if (effect.kind === "retire_workspace") return [{ type: "workspace_retired", keptRefs: [] }];
  if (isEnded(run.phase)) return [];
  return [
    {
      type: "run_failed",
      stopReason: failed.code === "unsafe_repository" ? "unsafe_repository" : "internal_failure",
      failureClass:
        failed.code === "permission_denied" || failed.code === "unsafe_repository"
          ? "permission_denied"
          : "unknown_failure",
      message: `${effect.kind}: ${message}`,
      remedy: failed.remedy,
    },
  ];
}
