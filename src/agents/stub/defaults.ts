// The stub's answers for each contract when the script says nothing: the plain, honest course of a small run.
import type { ContractName, ProviderCall } from "../../core/contract/index.ts";

export const stubNotePath = "STUB-NOTES.md";

/** Fields of the payload without the marker. */
export function defaultPayload(call: ProviderCall): Record<string, unknown> {
  return table[call.contract](call);
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
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
