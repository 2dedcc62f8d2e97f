// The outcome of an effect, turned into events. An outcome that the run no longer waits for is refused.
import {
  type Effect,
  type EffectOutcome,
  type RunEvent,
  type RuntimeCommand,
  plainLine,
} from "../../contract/index.ts";
import { awaited } from "../next/due.ts";
import { emit } from "../decision.ts";
import type { Run } from "../state/index.ts";
import { answered } from "./answered.ts";
import { blindRun, effectFailed, retired, undoBlocked } from "./effect-failed.ts";
import { type Ruling, refuse } from "./ruling.ts";

type Done = Extract<RuntimeCommand, { type: "effect_done" }>;

interface When {
  readonly tookMs: number;
  readonly at: number;
}

function facts(run: Run, effect: Effect, outcome: EffectOutcome, when: When): RunEvent[] {
  const pass = "pass" in effect ? effect.pass : run.passes.length - 1;
  switch (outcome.kind) {
    case "inspect_repository":
      return [{ type: "run_ready", inspection: outcome.inspection }];
    case "discover_checks": {
      const variant = effect.kind === "discover_checks" ? effect.variant : "base";
      const notes = outcome.plan.findings.map((message): RunEvent => ({
        type: "finding_recorded",
        pass,
        finding: { kind: "repository", severity: "info", message: plainLine(message), refs: [] },
      }));
      return [{ type: "checks_discovered", variant, checks: [...outcome.plan.checks] }, ...notes];
    }
    case "capture_repo_context": {
      const wanted = run.phase.state === "planning" || run.phase.state === "delegating" ? run.phase.wanted : null;
      return [
        {
          type: "repo_context_captured",
          requestedBy: wanted?.role ?? "orchestrator",
          context: outcome.context,
        },
      ];
    }
    case "select_remote_context":
      return [{ type: "remote_repo_context_selected", remote: outcome.remote, reason: outcome.reason }];
    case "write_transfer_manifest":
      return effect.kind === "write_transfer_manifest"
        ? [
            {
              type: "external_transfer_manifest_written",
              callId: effect.call.callId,
              manifest: outcome.manifest,
            },
          ]
        : [];
    case "call_provider":
    case "reattach_call":
      return answered(run, effect, outcome, when);
    case "wait_for_provider":
      return run.limited ? [{ type: "provider_limit_over", callId: run.limited.callId }] : [];
    case "capture_patch":
      return [
        {
          type: "isolated_patch_captured",
          pass,
          patch: outcome.patch,
          keptRef: outcome.keptRef,
          ...(outcome.invocation ? { invocation: outcome.invocation } : {}),
        },
      ];
    case "judge_patch":
      return [{ type: "integration_patch_prepared", pass, judgement: outcome.judgement }];
    case "apply_patch":
      return [{ type: "patch_applied", pass, integration: outcome.integration }];
    case "apply_patch_blocked":
      return [
        {
          type: "integration_blocked",
          pass,
          reason: outcome.reason,
          message: plainLine(outcome.message, 1_000),
          paths: [...outcome.paths],
          ...(outcome.ofRuns ? { ofRuns: [...outcome.ofRuns] } : {}),
        },
      ];
    default:
      return otherFacts(run, effect, outcome, pass, when.tookMs);
  }
}

type CandidateOutcome = Extract<
  EffectOutcome,
  {
    kind: "look_at_checkout" | "rebuild_candidate" | "rebuild_candidate_conflict" | "rebuild_candidate_blocked";
  }
>;

function candidateFacts(outcome: CandidateOutcome, pass: number): RunEvent[] {
  switch (outcome.kind) {
    case "look_at_checkout":
      return [{ type: "checkout_looked", pass, look: outcome.look }];
    case "rebuild_candidate":
      return [{ type: "candidate_rebuilt", pass, onto: outcome.onto, patch: outcome.patch }];
    case "rebuild_candidate_conflict": {
      const { onto, tree, paths, message } = outcome;
      return [{ type: "candidate_conflicted", pass, onto, tree, paths: [...paths], message: plainLine(message) }];
    }
    case "rebuild_candidate_blocked": {
      const message = plainLine(outcome.message, 1_000);
      const whose = outcome.ofRuns ? { ofRuns: [...outcome.ofRuns] } : {};
      return [
        { type: "integration_blocked", pass, reason: "dirty_checkout", message, paths: [...outcome.paths], ...whose },
      ];
    }
  }
}

type OtherOutcome = Extract<
  EffectOutcome,
  {
    kind:
      | CandidateOutcome["kind"]
      | "capture_git_evidence"
      | "run_check"
      | "run_blind_tests"
      | "keep_blind_tests"
      | "run_command"
      | "run_command_gated"
      | "retire_workspace"
      | "take_out_work"
      | "take_out_work_blocked"
      | "effect_failed";
  }
>;

function otherFacts(run: Run, effect: Effect, outcome: OtherOutcome, pass: number, tookMs: number): RunEvent[] {
  const sideId = effect.kind === "run_command" ? effect.sideId : null;
  switch (outcome.kind) {
    case "look_at_checkout":
    case "rebuild_candidate":
    case "rebuild_candidate_conflict":
    case "rebuild_candidate_blocked":
      return candidateFacts(outcome, pass);
    case "capture_git_evidence":
      return gitFacts(run, effect, outcome.evidence, pass);
    case "run_check":
      return [{ type: "check_executed", pass, check: outcome.result, tookMs }];
    case "run_blind_tests":
      return effect.kind === "run_blind_tests" ? [blindRun(effect, outcome.tests, tookMs)] : [];
    case "keep_blind_tests":
      return [{ type: "blind_tests_kept", kept: outcome.kept }];
    case "run_command":
      return [{ type: "command_executed", sideId, command: outcome.command, tookMs }];
    case "run_command_gated":
      return sideId === null
        ? []
        : [{ type: "side_command_classified", sideId, class: outcome.class, why: plainLine(outcome.why) }];
    case "retire_workspace":
      return retired(run, outcome.keptRefs, outcome.left);
    case "take_out_work":
      return [{ type: "work_taken_out", taken: outcome.taken }];
    case "take_out_work_blocked":
      return [undoBlocked(outcome.message, outcome.paths)];
    case "effect_failed":
      return effectFailed(run, effect, outcome);
  }
}

function gitFacts(
  run: Run,
  effect: Effect,
  evidence: Extract<EffectOutcome, { kind: "capture_git_evidence" }>["evidence"],
  pass: number,
): RunEvent[] {
  if (effect.kind !== "capture_git_evidence") return [];
  const captured: RunEvent = { type: "git_evidence_captured", pass, moment: effect.moment, evidence };
  if (effect.moment === "asked") {
    const task = run.side.tasks.find(({ job, end }) => job.job === "evidence" && !end);
    const done: RunEvent[] = task
      ? [
          {
            type: "side_completed",
            sideId: task.job.id,
            outcome: evidence.ok ? "completed" : "failed",
            why: "evidence captured",
            artifact: evidence.summary,
          },
        ]
      : [];
    return [captured, ...done];
  }
  if (evidence.ok || run.created.mode !== "implement") return [captured];
  // Git evidence that could not be taken does not show that nothing changed (S-4).
  const failed: RunEvent = {
    type: "run_failed",
    stopReason: "command_failure",
    failureClass: "unknown_failure",
    message: "git could not tell the state of the checkout.",
    remedy: "Look at the git evidence artifact, repair the repository, and start again.",
  };
  return [captured, failed];
}

/** The outcome must answer the effect that is awaited under this key, and be of its kind. */
function fits(effect: Effect, outcome: EffectOutcome): boolean {
  if (outcome.kind === "effect_failed") return true;
  if (outcome.kind === "apply_patch_blocked") return effect.kind === "apply_patch";
  // The checkout moved while the work waited for its turn.
  if (outcome.kind === "look_at_checkout" && effect.kind === "apply_patch") return effect.exact !== undefined;
  if (outcome.kind === "rebuild_candidate_conflict" || outcome.kind === "rebuild_candidate_blocked")
    return effect.kind === "rebuild_candidate";
  if (outcome.kind === "take_out_work_blocked") return effect.kind === "take_out_work";
  if (outcome.kind === "run_command_gated") return effect.kind === "run_command";
  const calls = ["call_provider", "reattach_call"];
  return outcome.kind === effect.kind || (calls.includes(outcome.kind) && calls.includes(effect.kind));
}

/** The checkout holds the patch, even if the run ended meanwhile: the log must say so. */
function lateFact(run: Run, { outcome }: Done): Ruling | undefined {
  if (outcome.kind !== "apply_patch") return undefined;
  const { integration } = outcome;
  const pass = run.passes.findIndex(
    (one) => one.captured?.patch?.patchSha256 === integration.patchSha256 && !one.integration,
  );
  return pass < 0 ? undefined : emit({ type: "patch_applied", pass, integration });
}

export function onOutcome(run: Run, command: Done, at: number): Ruling {
  const effect = awaited(run).find(({ key }) => key === command.key);
  if (!effect) return lateFact(run, command) ?? refuse("conflict", `Nothing waits for ${command.key} any more.`);
  if (!fits(effect, command.outcome))
    return refuse("conflict", `${command.outcome.kind} does not answer ${effect.kind}.`);
  return emit(...facts(run, effect, command.outcome, { tookMs: Math.max(0, command.tookMs), at }));
}

export function onPosted(run: Run, { key, record }: Extract<RuntimeCommand, { type: "call_posted" }>): Ruling {
  const effect = awaited(run).find((one) => one.key === key);
  if (effect?.kind !== "call_provider") return refuse("conflict", `${key} was sent already, or is no longer wanted.`);
  return emit({ type: "provider_wait_posted", callId: effect.call.callId, record });
}

export function onBegun(run: Run, { key }: Extract<RuntimeCommand, { type: "command_begun" }>): Ruling {
  const effect = awaited(run).find((one) => one.key === key);
  if (effect?.kind !== "run_command" || effect.begun)
    return refuse("conflict", `${key} was begun already, or is no longer wanted.`);
  return emit({ type: "command_begun", sideId: effect.sideId });
}

export function onDirective(run: Run, { key, record }: Extract<RuntimeCommand, { type: "directive_written" }>): Ruling {
  const effect = awaited(run).find((one) => one.key === key);
  if (effect?.kind !== "write_directive") return refuse("conflict", `Nothing waits for ${key} any more.`);
  return emit({ type: "agent_directive_created", callId: effect.call.callId, record });
}
