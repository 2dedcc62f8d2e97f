// What the world answered to an effect, turned into facts. An outcome nobody waits for any more is refused.
import type {
  CallOutcome,
  CallResult,
  Effect,
  EffectOutcome,
  RunEvent,
  RuntimeCommand,
} from "../../../contract/index.ts";
import { clip, plainLine, plainText } from "../../../contract/index.ts";
import { briefOf } from "../call/brief.ts";
import { callOf } from "../facts.ts";
import { awaited } from "../next/index.ts";
import { emit } from "../output.ts";
import type { Run } from "../state/index.ts";
import { effectFailed } from "./effect-failed.ts";
import { type Ruling, refuse } from "./refusal.ts";

type Done = Extract<RuntimeCommand, { type: "effect_done" }>;

const previewChars = 600;

function previewOf(markdown: string | undefined) {
  if (markdown === undefined) return null;
  const text = plainText(markdown);
  return { preview: clip(text, previewChars), truncated: text.length > previewChars, chars: text.length };
}

/** The marker is compared here once more: an answer to another directive never counts, whoever read it. */
function resultOf(run: Run, callId: string, outcome: CallOutcome): CallResult {
  switch (outcome.result) {
    case "answered": {
      const { response, ref } = outcome;
      const call = callOf(run, callId);
      const problem =
        response.payload.thehoodDirectiveAck !== call?.directive?.ack.marker
          ? ({ reason: "ack_stale", problem: "the answer does not repeat this directive's marker" } as const)
          : response.contract !== call.record.contract
            ? ({
                reason: "schema",
                problem: `the answer keeps ${response.contract} instead of ${call.record.contract}`,
              } as const)
            : response.status === "ok" && briefOf(response) === null
              ? ({ reason: "schema", problem: "the answer holds no verdict" } as const)
              : null;
      if (problem)
        return { result: "refused", reason: problem.reason, problems: [problem.problem], response: ref };
      const markdown = previewOf(response.payload.markdown);
      const summary = plainLine(response.summary, 1_000);
      return {
        result: "accepted",
        status: response.status,
        summary,
        brief: briefOf(response),
        response: ref,
        markdown,
      };
    }
    case "refused": {
      const { refusal, ref } = outcome;
      const problems =
        refusal.errors.length > 0
          ? refusal.errors.map(({ field, message }) => `${field}: ${message}`)
          : [refusal.message];
      return {
        result: "refused",
        reason: refusal.reason,
        problems: problems.slice(0, 20).map((text) => plainLine(text, 300)),
        response: ref,
      };
    }
    case "failed":
      return { ...outcome, why: plainLine(outcome.why, 1_000) };
    case "not_sent":
    case "in_doubt":
      return { ...outcome, why: plainLine(outcome.why, 1_000) };
  }
}

function answered(
  run: Run,
  effect: Effect,
  outcome: Extract<EffectOutcome, { kind: "call_provider" | "reattach_call" }>,
  tookMs: number,
): RunEvent[] {
  if (effect.kind !== "call_provider" && effect.kind !== "reattach_call") return [];
  const { callId, role, lane } = effect.call;
  const result = resultOf(run, callId, outcome.outcome);
  const response: RunEvent = {
    type: "agent_response",
    callId,
    role,
    lane,
    outcome: result,
    usage: outcome.usage,
    tookMs,
    artifacts: [...outcome.artifacts],
  };
  return [response, ...openQuestions(run, result), ...unknownRefs(run, result, role)];
}

/** What a role cites must be on record; what is not is told, and counts for nothing. */
function unknownRefs(run: Run, result: CallResult, role: string): RunEvent[] {
  if (result.result !== "accepted" || !result.brief) return [];
  const known = (ref: string) =>
    run.artifacts.some((artifact) => artifact.ref === ref) || (/^\d+$/.test(ref) && Number(ref) <= run.seq);
  const unknown = result.brief.evidenceRefs.filter((ref) => !known(ref));
  if (unknown.length === 0) return [];
  const message = `The ${role} cites what this run never recorded: ${unknown.slice(0, 5).join(", ")}`;
  return [
    {
      type: "finding_recorded",
      pass: run.passes.length - 1,
      finding: {
        kind: "unknown_evidence_ref",
        severity: "risk",
        message: plainLine(message),
        refs: [result.response.ref],
      },
    },
  ];
}

/** Questions a role leaves open stay on record until the end. */
function openQuestions(run: Run, result: CallResult): RunEvent[] {
  if (result.result !== "accepted" || !result.brief || !("openQuestions" in result.brief)) return [];
  const known = new Set(
    run.findings.filter(({ kind }) => kind === "open_question").map(({ message }) => message),
  );
  return result.brief.openQuestions
    .filter((message) => !known.has(message))
    .map((message) => ({
      type: "finding_recorded",
      pass: run.passes.length - 1,
      finding: { kind: "open_question", severity: "info", message, refs: [result.response.ref] },
    }));
}

function facts(run: Run, effect: Effect, outcome: EffectOutcome, tookMs: number): RunEvent[] {
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
      const wanted =
        run.phase.state === "planning" || run.phase.state === "delegating" ? run.phase.wanted : null;
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
      return answered(run, effect, outcome, tookMs);
    case "capture_patch":
      return [{ type: "isolated_patch_captured", pass, patch: outcome.patch, keptRef: outcome.keptRef }];
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
        },
      ];
    default:
      return otherFacts(run, effect, outcome, pass, tookMs);
  }
}

type OtherOutcome = Extract<
  EffectOutcome,
  {
    kind:
      | "capture_git_evidence"
      | "run_check"
      | "run_command"
      | "run_command_gated"
      | "retire_workspace"
      | "effect_failed";
  }
>;

function otherFacts(
  run: Run,
  effect: Effect,
  outcome: OtherOutcome,
  pass: number,
  tookMs: number,
): RunEvent[] {
  const sideId = effect.kind === "run_command" ? effect.sideId : null;
  switch (outcome.kind) {
    case "capture_git_evidence":
      return gitFacts(run, effect, outcome.evidence, pass);
    case "run_check":
      return [{ type: "check_executed", pass, check: outcome.result, tookMs }];
    case "run_command":
      return [{ type: "command_executed", sideId, command: outcome.command, tookMs }];
    case "run_command_gated":
      return sideId === null
        ? []
        : [{ type: "side_command_classified", sideId, class: outcome.class, why: plainLine(outcome.why) }];
    case "retire_workspace":
      return [{ type: "workspace_retired", keptRefs: [...outcome.keptRefs] }];
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
  // Evidence that could not be taken is not evidence of nothing (S-4).
  const failed: RunEvent = {
    type: "run_failed",
    stopReason: "command_failure",
    failureClass: "unknown_failure",
    message: "git could not say what state the checkout is in.",
    remedy: "Look at the git evidence artifact, repair the repository, and start again.",
  };
  return [captured, failed];
}

/** The outcome must answer the effect that is awaited under this key, and be of its kind. */
function fits(effect: Effect, outcome: EffectOutcome): boolean {
  if (outcome.kind === "effect_failed") return true;
  if (outcome.kind === "apply_patch_blocked") return effect.kind === "apply_patch";
  if (outcome.kind === "run_command_gated") return effect.kind === "run_command";
  const calls = ["call_provider", "reattach_call"];
  return outcome.kind === effect.kind || (calls.includes(outcome.kind) && calls.includes(effect.kind));
}

export function onOutcome(run: Run, command: Done): Ruling {
  const effect = awaited(run).find(({ key }) => key === command.key);
  if (!effect) return refuse("conflict", `Nothing waits for ${command.key} any more.`);
  if (!fits(effect, command.outcome))
    return refuse("conflict", `${command.outcome.kind} does not answer ${effect.kind}.`);
  return emit(...facts(run, effect, command.outcome, Math.max(0, command.tookMs)));
}

export function onPosted(
  run: Run,
  { key, record }: Extract<RuntimeCommand, { type: "call_posted" }>,
): Ruling {
  const effect = awaited(run).find((one) => one.key === key);
  if (effect?.kind !== "call_provider")
    return refuse("conflict", `${key} was sent already, or is no longer wanted.`);
  return emit({ type: "provider_wait_posted", callId: effect.call.callId, record });
}

export function onDirective(
  run: Run,
  { key, record }: Extract<RuntimeCommand, { type: "directive_written" }>,
): Ruling {
  const effect = awaited(run).find((one) => one.key === key);
  if (effect?.kind !== "write_directive") return refuse("conflict", `Nothing waits for ${key} any more.`);
  return emit({ type: "agent_directive_created", callId: effect.call.callId, record });
}
