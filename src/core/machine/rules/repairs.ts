// Repairs that are sent back to the worker: for broken checks, for a patch that cannot be applied, and for findings of
// QA, the verifier or the critic.
import type { PatchJudgement, ResponseBrief } from "../../contract/index.ts";
import { acceptedOf } from "../facts/index.ts";
import type { Decision, MachineDeps } from "../decision.ts";
import { failureClassOf, regressions, repair } from "../review/index.ts";
import type { Implementing, Integrating, Pass, Run, Verifying } from "../state/index.ts";

export function repairRegression(run: Run, phase: Verifying, pass: Pass, deps: MachineDeps): Decision | null {
  const broken = regressions(run, pass);
  if (broken.length === 0) return null;
  const after = broken.flatMap((one) => one.after.filter(({ result }) => result !== "passed"));
  return repair(run, phase, pass, deps, {
    sourceRole: "runtime",
    reasonCode: "validation_regression",
    failureClass: failureClassOf(broken[0]?.kind ?? "other"),
    reason: broken
      .map(({ kind, command }) => `${failureClassOf(kind)}: \`${command}\` passed before this work and does not now`)
      .join("; "),
    objective: `Make these pass again without weakening them: ${broken.map(({ command }) => command).join(", ")}`,
    criteria: broken.map(({ command }) => `\`${command}\` passes as it did on the base commit.`),
    evidence: [pass.validation?.artifact, ...after.flatMap(({ stdout, stderr }) => [stdout, stderr])],
    sameIf: JSON.stringify(broken.map(({ checkId }) => checkId)),
  });
}

/** The judge refuses the patch: the worker brings it into a form that can be applied. */
export function rejected(
  run: Run,
  phase: Implementing | Integrating,
  pass: Pass,
  judgement: PatchJudgement,
  deps: MachineDeps,
): Decision {
  const outside = judgement.outsidePaths.map((path) => `Leave ${path} as it is: it is outside the allowed paths.`);
  const found = judgement.findings.filter(({ verdict }) => verdict === "reject").map(({ message }) => message);
  const reason =
    outside.length > 0 ? "the patch leaves the allowed paths" : `${judgement.reason}: ${judgement.message}`;
  return repair(run, phase, pass, deps, {
    sourceRole: "integrator",
    reasonCode: "patch_rejected",
    failureClass: "unsafe_action",
    reason,
    objective: `Bring the change into a form that can be applied: ${reason}`,
    criteria: [...outside, ...found],
    evidence: [pass.captured?.patch?.full],
    sameIf: JSON.stringify([judgement.reason, judgement.outsidePaths]),
  });
}

export function repairFrom(
  run: Run,
  phase: Verifying,
  pass: Pass,
  role: "qa" | "verifier" | "critic",
  deps: MachineDeps,
): Decision {
  const accepted = acceptedOf(run, pass[role]);
  const wanted = accepted?.brief ? wantedBy(accepted.brief, accepted.summary, run, pass) : null;
  if (!wanted) throw new Error(`The ${role} gave nothing to repair.`);
  const evidence = [accepted?.response, pass.validation?.artifact, pass.captured?.patch?.full];
  const responseRef = accepted?.response.ref ?? null;
  return repair(run, phase, pass, deps, { ...wanted, evidence, responseRef });
}

type Wanted = Omit<Parameters<typeof repair>[4], "evidence" | "responseRef">;

/** The repair that a reviewer's brief asks for, or null when it is not a review. */
function wantedBy(brief: ResponseBrief, summary: string, run: Run, pass: Pass): Wanted | null {
  switch (brief.contract) {
    case "qa_result":
      return {
        sourceRole: "qa",
        reasonCode: "qa_needs_revision",
        reason: summary,
        objective: `Answer QA's findings: ${summary}`,
        criteria: [
          ...brief.missedCases,
          ...brief.risks,
          ...brief.suggestedCommands.map((command) => `Holds under: ${command}`),
        ],
      };
    case "verification_result":
      return {
        sourceRole: "verifier",
        reasonCode: "verifier_revise",
        reason: summary,
        objective: brief.nextAction ?? `Meet the criteria the verifier found failing: ${summary}`,
        criteria: [...brief.failedCriteria, ...brief.risks],
      };
    case "critique_result":
      return {
        sourceRole: "critic",
        reasonCode: brief.verdict === "needs_revision" ? "critic_needs_revision" : "critic_blocking_concerns",
        reason: summary,
        objective: `Answer the critic's concerns: ${summary}`,
        criteria: [...brief.blockingConcerns, ...brief.missingCases, ...openCriteria(run, pass)],
      };
    default:
      return null;
  }
}

/** The findings of QA or the verifier that led to the critic. */
function openCriteria(run: Run, pass: Pass): readonly string[] {
  const qa = acceptedOf(run, pass.qa)?.brief;
  const verifier = acceptedOf(run, pass.verifier)?.brief;
  return [
    ...(verifier?.contract === "verification_result" ? verifier.failedCriteria : []),
    ...(qa?.contract === "qa_result" ? qa.missedCases : []),
  ];
}
