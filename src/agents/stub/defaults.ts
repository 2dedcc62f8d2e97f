// The stub's answers for each contract without a script: a small run that succeeds.
import {
  type ContractName,
  type ProviderCall,
  ackField,
  makeAck,
  responseContracts,
} from "../../core/contract/index.ts";
import type { StubEdit, StubStep } from "./script.ts";

export const stubNotePath = "STUB-NOTES.md";

/** Fields of the payload without the marker. */
function defaultPayload(call: ProviderCall): Record<string, unknown> {
  return table[call.contract](call);
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );

const goalOf = (call: ProviderCall): string => {
  const goal = at(call.directive, "variables", "run", "userGoal");
  return typeof goal === "string" ? goal.slice(0, 500) : "the goal";
};

const table: Record<ContractName, (call: ProviderCall) => Record<string, unknown>> = {
  orchestrator_decision: (call) => ({
    action: "delegate",
    delegateTo: "implementer",
    reason: "The smallest next step is to let the implementer do the work.",
    confidence: "medium",
    sliceName: "stub slice",
    acceptanceCriteria: [`The goal is met: ${goalOf(call)}`],
  }),
  planner_decision: (call) => ({
    action: "delegate",
    delegateTo: "implementer",
    reason: "The plan is one small reversible step.",
    confidence: "medium",
    acceptanceCriteria: [`The goal is met: ${goalOf(call)}`],
    markdown: `# Plan (stub)\n\n1. Do this: ${goalOf(call)}\n2. Prove it with the project's own checks.\n`,
  }),
  research_result: (call) => ({
    summary: "The stub looked at nothing and found nothing.",
    findings: [`Asked about: ${goalOf(call)}`],
    openQuestions: [],
  }),
  implementation_result: () => ({
    status: "changed",
    changedFiles: [stubNotePath],
    commandsRun: [],
    unresolvedRisks: [],
  }),
  qa_result: () => ({ verdict: "pass", summary: "The stub sees no missed case.", missedCases: [] }),
  verification_result: (call) =>
    failingChecks(call)
      ? { verdict: "revise", summary: "A check fails.", failedCriteria: ["Every check passes."] }
      : { verdict: "approve", summary: "The stub approves on the recorded evidence." },
  critique_result: () => ({ verdict: "acceptable", summary: "The stub has no concern.", risks: [] }),
  citation_result: () => ({ verdict: "unclear", summary: "The stub checked no citation.", claims: [] }),
  blind_tests_result: () => ({ summary: "The stub writes no tests of its own.", tests: [] }),
  reconciliation_result: () => ({ status: "complete", completedPlanItems: [], deviations: [] }),
};

/** The verifier's directive carries the checks as data. A check that fails on the base commit is not the work's fault. */
function failingChecks(call: ProviderCall): boolean {
  const checks = at(call.directive, "variables", "context", "work", "checks");
  return (
    Array.isArray(checks) &&
    checks.some(
      (check: unknown) =>
        at(check, "variant") !== "base" && ["failed", "timed_out"].includes(String(at(check, "result"))),
    )
  );
}

export function stubAnswer(call: ProviderCall, step: StubStep): string {
  const text = step.raw === undefined ? envelope(call, step) : step.raw.replaceAll("{{ack}}", call.ack.marker);
  const wrapped = wrap(text, step.wrap ?? "none");
  const missing = (step.oversizeBytes ?? 0) - wrapped.length;
  return missing > 0 ? wrapped + " ".repeat(missing) : wrapped;
}

function envelope(call: ProviderCall, step: StubStep): string {
  const status = step.status ?? "ok";
  const base: Record<string, unknown> = status === "ok" ? defaultPayload(call) : {};
  if (step.edits && "changedFiles" in base) base["changedFiles"] = editedPaths(step.edits);
  const payload: Record<string, unknown> = { ...base, ...step.payload };
  for (const [key, value] of Object.entries(payload)) if (value === null) delete payload[key];
  const marker = markerFor(call, step.ack ?? "current");
  if (marker !== undefined && !(ackField in payload)) payload[ackField] = marker;
  const summary = step.summary ?? `stub ${call.role}: scripted answer ${call.ordinal}`;
  return JSON.stringify({ status, summary, data: { [responseContracts[call.contract].key]: payload } });
}

/** An honest worker names what it touched; a script can say otherwise. */
const editedPaths = (edits: readonly StubEdit[]): string[] => [
  ...new Set(
    edits.flatMap((edit) => ("path" in edit ? [edit.path] : edit.op === "rename" ? [edit.from, edit.to] : [])),
  ),
];

function markerFor(call: ProviderCall, kind: NonNullable<StubStep["ack"]>): string | undefined {
  if (kind === "current") return call.ack.marker;
  if (kind === "missing") return undefined;
  return kind === "stale"
    ? makeAck(call.runId, "00000000stale").marker
    : makeAck("run_someoneelse", call.ack.nonce).marker;
}

function wrap(text: string, how: NonNullable<StubStep["wrap"]>): string {
  if (how === "fence") return `Here is my answer.\n\n\`\`\`json\n${text}\n\`\`\`\n`;
  return how === "prose" ? `I thought about {it}.\n${text}\nThat is all.` : text;
}
