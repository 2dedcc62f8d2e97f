// Repairs that a review sends back to the worker: for broken checks, and for findings of QA, the verifier or the
// critic.
import { acceptedOf } from "../facts/index.ts";
import type { Output, World } from "../output.ts";
import { failureClassOf, regressions, repair } from "../review/index.ts";
import type { Pass, Run, Verifying } from "../state/index.ts";

export function repairRegression(run: Run, phase: Verifying, pass: Pass, world: World): Output | null {
  const broken = regressions(run, pass);
  if (broken.length === 0) return null;
  const after = broken.flatMap((one) => one.after.filter(({ result }) => result !== "passed"));
  return repair(
    run,
    phase,
    pass,
    {
      sourceRole: "runtime",
      reasonCode: "validation_regression",
      failureClass: failureClassOf(broken[0]?.kind ?? "other"),
      reason: broken
        .map(
          ({ kind, command }) =>
            `${failureClassOf(kind)}: \`${command}\` passed before this work and does not now`,
        )
        .join("; "),
      objective: `Make these pass again without weakening them: ${broken.map(({ command }) => command).join(", ")}`,
      criteria: broken.map(({ command }) => `\`${command}\` passes as it did on the base commit.`),
      evidence: [pass.validation?.artifact, ...after.flatMap(({ stdout, stderr }) => [stdout, stderr])],
      sameIf: JSON.stringify(broken.map(({ checkId }) => checkId)),
    },
    world,
  );
}

export function repairFrom(
  run: Run,
  phase: Verifying,
  pass: Pass,
  role: "qa" | "verifier" | "critic",
  world: World,
): Output {
  const accepted = acceptedOf(run, pass[role]);
  const brief = accepted?.brief;
  const said = accepted?.summary ?? "";
  const common = {
    evidence: [accepted?.response, pass.validation?.artifact, pass.captured?.patch?.full],
    responseRef: accepted?.response.ref ?? null,
  };
  if (brief?.contract === "qa_result")
    return repair(
      run,
      phase,
      pass,
      {
        ...common,
        sourceRole: "qa",
        reasonCode: "qa_needs_revision",
        reason: said,
        objective: `Answer QA's findings: ${said}`,
        criteria: [
          ...brief.missedCases,
          ...brief.risks,
          ...brief.suggestedCommands.map((command) => `Holds under: ${command}`),
        ],
      },
      world,
    );
  if (brief?.contract === "verification_result")
    return repair(
      run,
      phase,
      pass,
      {
        ...common,
        sourceRole: "verifier",
        reasonCode: "verifier_revise",
        reason: said,
        objective: brief.nextAction ?? `Meet the criteria the verifier found failing: ${said}`,
        criteria: [...brief.failedCriteria, ...brief.risks],
      },
      world,
    );
  if (brief?.contract !== "critique_result") throw new Error(`The ${role} gave nothing to repair.`);
  const wanted = brief.verdict === "needs_revision";
  return repair(
    run,
    phase,
    pass,
    {
      ...common,
      sourceRole: "critic",
      reasonCode: wanted ? "critic_needs_revision" : "critic_blocking_concerns",
      reason: said,
      objective: `Answer the critic's concerns: ${said}`,
      criteria: [...brief.blockingConcerns, ...brief.missingCases, ...openCriteria(run, pass)],
    },
    world,
  );
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
