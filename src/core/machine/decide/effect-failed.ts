// An effect that failed: the events that follow depend on the kind of effect.
import {
  type BlindTests,
  type Effect,
  type EffectOf,
  type EffectOutcome,
  type RunEvent,
  plainLine,
} from "../../contract/index.ts";
import { callOf } from "../facts/index.ts";
import { type Run, currentTask, isEnded } from "../state/index.ts";

type Failed = Extract<EffectOutcome, { kind: "effect_failed" }>;

const nothing = { inputTokens: 0, outputTokens: 0, estimated: false };

/** A call that was not posted was not sent. The outcome of a posted call is unknown. */
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

/** The side task that the effect was performed for. */
function taskOf(run: Run, effect: Effect): string | null {
  if (effect.kind === "run_command") return effect.sideId;
  if (effect.kind === "capture_git_evidence")
    return effect.moment === "asked" ? (currentTask(run.side)?.job.id ?? null) : null;
  return "call" in effect ? effect.call.sideId : null;
}

/** A folder that could not be removed becomes a finding, so that a person learns of it. */
export function retired(run: Run, keptRefs: readonly string[], left: string | undefined): RunEvent[] {
  if (left === undefined) return [{ type: "workspace_retired", keptRefs: [...keptRefs] }];
  const message = plainLine(`The worker's folder was not removed: ${left}`, 1_000);
  return [
    {
      type: "finding_recorded",
      pass: Math.max(0, run.passes.length - 1),
      finding: { kind: "repository", severity: "risk", message, refs: [] },
    },
    { type: "workspace_retired", keptRefs: [...keptRefs], left: plainLine(left, 1_000) },
  ];
}

export const undoBlocked = (message: string, paths: readonly string[]): RunEvent => ({
  type: "undo_blocked",
  message: plainLine(message, 1_000),
  paths: [...paths],
});

export const blindRun = (effect: EffectOf<"run_blind_tests">, tests: BlindTests, tookMs: number): RunEvent => ({
  type: "blind_tests_run",
  pass: effect.pass,
  callId: effect.callId,
  tests,
  tookMs,
});

/** Tests that could not be run or kept never end a run. */
function blindFailed(effect: EffectOf<"run_blind_tests">, message: string): RunEvent {
  const { tree, baseTree, author } = effect;
  const none = { ran: 0, proving: 0, idle: 0, failing: 0, failingNames: [], unused: [], files: [] };
  return blindRun(effect, { ...none, tree, baseTree, author, notRun: message }, 0);
}

export function effectFailed(run: Run, effect: Effect, failed: Failed): RunEvent[] {
  const message = plainLine(failed.message, 1_000);
  if (effect.kind === "call_provider" || effect.kind === "reattach_call") return callFailed(run, effect, failed);
  const sideId = taskOf(run, effect);
  if (sideId !== null) return [{ type: "side_completed", sideId, outcome: "failed", why: message, artifact: null }];
  if (effect.kind === "apply_patch" || effect.kind === "look_at_checkout" || effect.kind === "rebuild_candidate")
    return [{ type: "integration_blocked", pass: effect.pass, reason: "failed", message, paths: [] }];
  if (effect.kind === "retire_workspace") return retired(run, [], message);
  if (effect.kind === "run_blind_tests") return [blindFailed(effect, message)];
  if (effect.kind === "keep_blind_tests")
    return [{ type: "blind_tests_kept", kept: { paths: [], left: effect.files.map((path) => `${path}: ${message}`) } }];
  if (effect.kind === "take_out_work") return [undoBlocked(message, [])];
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
