// The response of a provider, turned into events: accepted or refused, with its open questions and its unknown
// references.
import {
  type CallOutcome,
  type CallResult,
  type Effect,
  type EffectOutcome,
  type RunEvent,
  clip,
  plainLine,
  plainText,
} from "../../contract/index.ts";
import { briefOf } from "../call/brief.ts";
import { callOf } from "../facts/index.ts";
import { nearLimits } from "./near-limit.ts";
import type { Run } from "../state/index.ts";

const previewChars = 600;

function previewOf(markdown: string | undefined) {
  if (markdown === undefined) return null;
  const text = plainText(markdown);
  return { preview: clip(text, previewChars), truncated: text.length > previewChars, chars: text.length };
}

/** The marker is compared here once more: a response to another directive never counts. */
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
      if (problem) return { result: "refused", reason: problem.reason, problems: [problem.problem], response: ref };
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

/** Waits that overlap cost the run its time once: the time up to the last response is counted already. */
function ownTime(run: Run, callId: string, tookMs: number, at: number): { spentMs?: number } {
  const sent = callOf(run, callId)?.posted?.seq ?? Infinity;
  const counted = run.calls.flatMap(({ result }) => (result && result.seq > sent ? [result.at] : []));
  return counted.length === 0 ? {} : { spentMs: Math.min(tookMs, Math.max(0, at - Math.max(...counted))) };
}

export function answered(
  run: Run,
  effect: Effect,
  outcome: Extract<EffectOutcome, { kind: "call_provider" | "reattach_call" }>,
  { tookMs, at }: { readonly tookMs: number; readonly at: number },
): RunEvent[] {
  if (effect.kind !== "call_provider" && effect.kind !== "reattach_call") return [];
  const { callId, role, lane } = effect.call;
  const result = resultOf(run, callId, outcome.outcome);
  const own = ownTime(run, callId, tookMs, at);
  const response: RunEvent = {
    type: "agent_response",
    callId,
    role,
    lane,
    outcome: result,
    usage: outcome.usage,
    tookMs,
    ...own,
    artifacts: [...outcome.artifacts],
    ...(outcome.sandbox === undefined ? {} : { sandbox: outcome.sandbox }),
  };
  return [
    response,
    ...openQuestions(run, result),
    ...unknownRefs(run, result, role),
    ...nearLimits(run, callId, outcome.usage, own.spentMs ?? tookMs),
  ];
}

/** A reference that a role cites must be on record. An unknown one becomes a finding and counts for nothing. */
function unknownRefs(run: Run, result: CallResult, role: string): RunEvent[] {
  if (result.result !== "accepted" || !result.brief) return [];
  const known = (ref: string) =>
    run.artifacts.some((artifact) => artifact.ref === ref) || (/^\d+$/.test(ref) && Number(ref) <= run.seq);
  const unknown = result.brief.evidenceRefs.filter((ref) => !known(ref));
  if (unknown.length === 0) return [];
  const message = `The ${role} cites references that this run never recorded: ${unknown.slice(0, 5).join(", ")}`;
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
  const known = new Set(run.findings.filter(({ kind }) => kind === "open_question").map(({ message }) => message));
  return result.brief.openQuestions
    .filter((message) => !known.has(message))
    .map((message) => ({
      type: "finding_recorded",
      pass: run.passes.length - 1,
      finding: { kind: "open_question", severity: "info", message, refs: [result.response.ref] },
    }));
}
