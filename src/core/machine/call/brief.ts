// The brief of a response: the closed values and bounded lists that the runtime may act on. The rest stays in the
// artifact.
import { type ResponseBrief, type RoleResponse, plainLine, riskText } from "../../contract/index.ts";

const items = 12;
const short = (list: readonly string[] | undefined, max = items): string[] =>
  (list ?? []).slice(0, max).map((text) => plainLine(text, 500));
const exact = (list: readonly string[] | undefined, max: number): string[] =>
  (list ?? []).slice(0, max).map((text) => text.toWellFormed());

type Contradiction = Extract<ResponseBrief, { contract: "implementation_result" }>["contradiction"];

function contradictionIn({ contradiction }: Payload<"implementation_result">): { contradiction?: Contradiction } {
  if (contradiction === undefined) return {};
  const { test, requirement, why } = contradiction;
  return {
    contradiction: {
      ...(test === undefined ? {} : { test: plainLine(test, 1_000) }),
      ...(requirement === undefined ? {} : { requirement: plainLine(requirement, 1_000) }),
      why: plainLine(why, 2_000),
    },
  };
}

type Payload<C extends RoleResponse["contract"]> = Extract<RoleResponse, { contract: C }>["payload"];

function decision(
  payload: Payload<"orchestrator_decision" | "planner_decision">,
): Omit<Extract<ResponseBrief, { action: unknown }>, "contract" | "action" | "reason"> {
  const { task } = payload;
  return {
    target: payload.delegateTo ?? payload.nextRole ?? null,
    requiresMoreEvidence: payload.requiresMoreEvidence === true,
    objective: task?.objective
      ? plainLine(task.objective, 1_000)
      : payload.sliceName
        ? plainLine(payload.sliceName, 200)
        : null,
    requestedPaths: exact(payload.requestedPaths, 24),
    targetPaths: exact(payload.targetPaths, 24),
    allowedPaths: exact(task?.allowedPaths, 100),
    disallowedPaths: exact(task?.disallowedPaths, 100),
    acceptanceCriteria: short([...(payload.acceptanceCriteria ?? []), ...(task?.acceptanceCriteria ?? [])]),
    openQuestions: short(payload.openQuestions),
    evidenceRefs: exact([...(payload.evidenceRefs ?? []), ...(payload.artifactRefs ?? [])], 24),
  };
}

/** Null when the role said `blocked` or `failed` and left its verdict out. */
export function briefOf(response: RoleResponse): ResponseBrief | null {
  const evidenceRefs = exact(response.payload.evidenceRefs, 24);
  switch (response.contract) {
    case "orchestrator_decision":
    case "planner_decision": {
      const { contract, payload } = response;
      if (payload.action === undefined) return null;
      return {
        contract,
        action: payload.action,
        reason: plainLine(payload.reason ?? "", 1_000),
        ...decision(payload),
      };
    }
    case "research_result": {
      const { contract, payload } = response;
      const findings = payload.findings?.map((found) => (typeof found === "string" ? found : found.finding));
      return {
        contract,
        findings: short(findings),
        openQuestions: short(payload.openQuestions),
        evidenceRefs,
      };
    }
    case "implementation_result": {
      const { contract, payload } = response;
      if (payload.status === undefined) return null;
      const changedFiles = payload.changedFiles?.map((file) => (typeof file === "string" ? file : file.path));
      return {
        contract,
        status: payload.status,
        changedFiles: exact(changedFiles, 200),
        commandsRun: short(payload.commandsRun),
        ...(payload.reason === undefined ? {} : { reason: plainLine(payload.reason, 1_000) }),
        ...contradictionIn(payload),
        risks: short(payload.unresolvedRisks?.map(riskText)),
        evidenceRefs,
      };
    }
    default:
      return reviewBrief(response, evidenceRefs);
  }
}

type Reviewing = Extract<
  RoleResponse,
  {
    contract:
      | "qa_result"
      | "verification_result"
      | "critique_result"
      | "citation_result"
      | "reconciliation_result"
      | "blind_tests_result";
  }
>;

const wantsRun = (lines: readonly string[] = []): { requestedCommands?: string[] } =>
  lines.length === 0 ? {} : { requestedCommands: exact([...new Set(lines)], items) };

function reviewBrief(response: Reviewing, evidenceRefs: string[]): ResponseBrief | null {
  switch (response.contract) {
    case "qa_result": {
      const { contract, payload } = response;
      if (payload.verdict === undefined) return null;
      return {
        contract,
        verdict: payload.verdict,
        missedCases: short(payload.missedCases),
        suggestedCommands: short(payload.suggestedCommands),
        risks: short(payload.risks?.map(riskText)),
        evidenceRefs,
      };
    }
    case "verification_result": {
      const { contract, payload } = response;
      if (payload.verdict === undefined) return null;
      const next = payload.nextAction;
      return {
        contract,
        verdict: payload.verdict,
        failedCriteria: short(payload.failedCriteria),
        risks: short(payload.risks?.map(riskText)),
        nextAction: next === undefined ? null : plainLine(typeof next === "string" ? next : next.instruction, 500),
        evidenceRefs: [
          ...evidenceRefs,
          ...exact(
            payload.evidence?.map(({ ref }) => ref),
            24,
          ),
        ],
        ...wantsRun(payload.requestedCommands),
      };
    }
    case "critique_result": {
      const { contract, payload } = response;
      if (payload.verdict === undefined) return null;
      return {
        contract,
        verdict: payload.verdict,
        blockingConcerns: short(payload.blockingConcerns),
        nonBlockingConcerns: short(payload.nonBlockingConcerns),
        missingCases: short(payload.missingCases),
        alternatives: short(payload.alternatives),
        risks: short(payload.risks?.map(riskText)),
        evidenceRefs,
      };
    }
    case "citation_result": {
      const { contract, payload } = response;
      if (payload.verdict === undefined) return null;
      const unsupported = payload.claims?.filter(({ verdict }) => verdict !== "supported").map(({ claim }) => claim);
      return { contract, verdict: payload.verdict, unsupported: short(unsupported), evidenceRefs };
    }
    case "blind_tests_result": {
      const { contract, payload } = response;
      if (payload.tests === undefined) return null;
      return {
        contract,
        files: exact(
          payload.tests.map(({ path }) => path),
          20,
        ),
        evidenceRefs,
      };
    }
    case "reconciliation_result": {
      const { contract, payload } = response;
      if (payload.status === undefined) return null;
      return {
        contract,
        status: payload.status,
        completed: short([...(payload.completedPlanItems ?? []), ...(payload.satisfiedCriteria ?? [])]),
        open: short([...(payload.openCriteria ?? []), ...(payload.missingPlanItems ?? [])]),
        deviations: short(payload.deviations),
        nextSlice: payload.nextRecommendedSlice ? plainLine(payload.nextRecommendedSlice.objective, 500) : null,
        needsUserDecision: payload.needsUserDecision === true,
        evidenceRefs,
      };
    }
  }
}
