// Verifying and critiquing: evidence first, then who must look, then what their verdicts and the checks allow.
import { ask } from "../call/ask.ts";
import { acceptedOf, passNumber } from "../facts.ts";
import { openGate } from "../gate/open.ts";
import { nextForReview } from "../next/work.ts";
import { type Output, type World, emit } from "../output.ts";
import {
  closeValidation,
  regressions,
  repair,
  reviewTree,
  routeReview,
  triggerCritic,
  unwaived,
  verdictsOf,
} from "../review/index.ts";
import type { Critiquing, Pass, Run, Verifying } from "../state/index.ts";
import { enter } from "../transition.ts";
import { complete } from "./complete.ts";
import { settleReading } from "./reading.ts";
import { failureClassOf } from "../review/standing.ts";

function repairRegression(run: Run, phase: Verifying, pass: Pass, world: World): Output | null {
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

function repairFrom(
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

/** What QA or the verifier had found when the critic was called. */
function openCriteria(run: Run, pass: Pass): readonly string[] {
  const qa = acceptedOf(run, pass.qa)?.brief;
  const verifier = acceptedOf(run, pass.verifier)?.brief;
  return [
    ...(verifier?.contract === "verification_result" ? verifier.failedCriteria : []),
    ...(qa?.contract === "qa_result" ? qa.missedCases : []),
  ];
}

/** A critic that calls the work unsafe stops it; one that asks for revision sends it back, unless the verifier left it to the user. */
function afterCritic(run: Run, phase: Verifying, pass: Pass, world: World): Output | null {
  const { critic, blockingConcerns, verifier } = verdictsOf(run, pass);
  if (critic === null || pass.criticCleared) return null;
  if (critic === "unsafe" || (critic === "unclear" && blockingConcerns.length > 0)) {
    const accepted = acceptedOf(run, pass.critic);
    return openGate(
      run,
      {
        kind: "critic_safety_review",
        shown: [
          `The critic says: ${critic}. ${accepted?.summary ?? ""}`,
          ...blockingConcerns.map((text) => `- ${text}`),
          "Approve to go on to the verdict all the same.",
        ],
        refs: accepted ? [accepted.response] : [],
        about: { role: "critic", cause: `critic_${critic}` },
      },
      world,
    );
  }
  if (verifier === "ask_user" || verifier === "abort") return null;
  return critic === "needs_revision" || blockingConcerns.length > 0
    ? repairFrom(run, phase, pass, "critic", world)
    : null;
}

function verdictGate(run: Run, pass: Pass, verdict: "ask_user" | "abort", world: World): Output {
  const accepted = acceptedOf(run, pass.verifier);
  const brief = accepted?.brief;
  const criteria = brief?.contract === "verification_result" ? brief.failedCriteria : [];
  return openGate(
    run,
    {
      kind: "verifier_verdict",
      answers: verdict === "ask_user" ? ["accept", "revise", "abort"] : ["revise", "abort"],
      shown: [
        `The verifier says ${verdict}: ${accepted?.summary ?? ""}`,
        ...criteria.map((text) => `- not met: ${text}`),
        ...unwaived(run, pass).map(({ command }) => `- does not pass: ${command}`),
        `tree: ${reviewTree(run, pass)}`,
      ],
      refs: [accepted?.response, pass.validation?.artifact, pass.captured?.patch?.full].filter(
        (ref) => ref !== undefined,
      ),
      about: { role: "verifier", cause: `verifier_${verdict}` },
    },
    world,
  );
}

function waiverGate(run: Run, pass: Pass, world: World): Output | null {
  const open = unwaived(run, pass)[0];
  if (!open) return null;
  const { policy, createdBy } = run.created;
  if (open.standing !== "regression" && policy.waivedChecks.includes(open.command))
    return emit({
      type: "validation_waived",
      pass: pass.number,
      checkId: open.checkId,
      command: open.command,
      tree: reviewTree(run, pass),
      by: createdBy,
      message: "waived when the run was started",
    });
  const shown =
    open.standing === "none"
      ? ["The project defines no check. Nothing but the review shows that the work holds."]
      : open.standing === "fewer_tests"
        ? [`\`${open.command}\` ended well but ran fewer tests than before this work.`]
        : [
            `\`${open.command}\` stands at ${open.standing}; it was not broken by this work, and it does not pass.`,
          ];
  return openGate(
    run,
    {
      kind: "validation_waiver",
      phrase: `waive ${open.command}`,
      shown: [...shown, `tree: ${reviewTree(run, pass)}`],
      refs: pass.validation ? [pass.validation.artifact] : [],
      about: { checkId: open.checkId, cause: open.standing },
      failureClass: failureClassOf(open.kind),
    },
    world,
  );
}

/** The verifier approved this pass, or a person took it as it is: only what does not pass can still hold it. */
function conclude(run: Run, pass: Pass, world: World): Output {
  const held = waiverGate(run, pass, world);
  return held ?? complete(run, "success", pass.accepted ? "user" : "verifier", world);
}

function review(run: Run, phase: Verifying, pass: Pass, world: World): Output {
  if (pass.routing?.required.qa && pass.qa === null)
    return ask(run, { role: "qa", phase: "qa", why: `${pass.routing.tier} risk` }, world);
  const triggered = triggerCritic(run, pass, world);
  if (triggered) return triggered;
  if (pass.trigger?.called && pass.critic === null)
    return enter(run, phase, "critiquing", pass.trigger.reason);
  const criticised = afterCritic(run, phase, pass, world);
  if (criticised) return criticised;
  const { qa, verifier } = verdictsOf(run, pass);
  if (pass.accepted) return conclude(run, pass, world);
  if (qa === "needs_revision" && verifier === null) return repairFrom(run, phase, pass, "qa", world);
  switch (verifier) {
    case null:
      return ask(
        run,
        { role: "verifier", phase: "verify", why: "an implementation is always verified" },
        world,
      );
    case "approve":
      return conclude(run, pass, world);
    case "revise":
      return repairFrom(run, phase, pass, "verifier", world);
    case "abort":
    case "ask_user":
      return verdictGate(run, pass, verifier, world);
  }
}

export function settleVerifying(run: Run, phase: Verifying, world: World): Output | null {
  if (run.created.mode !== "implement") return settleReading(run, phase, world);
  const pass = passNumber(run, phase.pass);
  if (nextForReview(run, phase)) return null;
  if (!pass.validation) return closeValidation(run, pass, world);
  const broken = repairRegression(run, phase, pass, world);
  if (broken) return broken;
  if (!pass.routing) return routeReview(run, pass, world);
  return review(run, phase, pass, world);
}

export function settleCritiquing(run: Run, phase: Critiquing, world: World): Output | null {
  const pass = passNumber(run, phase.pass);
  if (pass.critic === null)
    return ask(run, { role: "critic", phase: "critique", why: pass.trigger?.reason ?? "triggered" }, world);
  return enter(run, phase, "verifying", "the critic has answered");
}
