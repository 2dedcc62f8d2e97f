// The reasons to call the critic, and the verdicts of all reviewers. The critic's verdict satisfies nothing.
import { plainLine, type CriticReason, type CriticTrigger } from "../../contract/index.ts";
import { acceptedOf } from "../facts/index.ts";
import { type Decision, type MachineDeps, jsonArtifact } from "../decision.ts";
import type { Pass, Run } from "../state/index.ts";
import { openChecks } from "./check-comparison.ts";

export interface Verdicts {
  readonly qa: "pass" | "needs_revision" | "needs_more_evidence" | "blocked" | null;
  readonly verifier: "approve" | "revise" | "abort" | "ask_user" | null;
  readonly critic: "acceptable" | "needs_revision" | "unsafe" | "unclear" | null;
  readonly blockingConcerns: readonly string[];
}

export function verdictsOf(run: Run, pass: Pass): Verdicts {
  const qa = acceptedOf(run, pass.qa)?.brief;
  const verifier = acceptedOf(run, pass.verifier)?.brief;
  const critic = acceptedOf(run, pass.critic)?.brief;
  return {
    qa: qa?.contract === "qa_result" ? qa.verdict : null,
    verifier: verifier?.contract === "verification_result" ? verifier.verdict : null,
    critic: critic?.contract === "critique_result" ? critic.verdict : null,
    blockingConcerns: critic?.contract === "critique_result" ? critic.blockingConcerns : [],
  };
}

interface Cause {
  readonly reasonCode: CriticReason;
  readonly reason: string;
  readonly source: "qa" | "verifier";
}

/** In this order; the first that holds is the reason. */
function causeOf(run: Run, pass: Pass): Cause | null {
  const { qa, verifier } = verdictsOf(run, pass);
  if (verifier === "revise" || verifier === "abort")
    return { reasonCode: "verifier_failed", reason: `the verifier said ${verifier}`, source: "verifier" };
  if (verifier === "ask_user")
    return {
      reasonCode: "verifier_inconclusive",
      reason: "the verifier leaves it to the user",
      source: "verifier",
    };
  if (verifier === "approve" && openChecks(run, pass).length > 0)
    return {
      reasonCode: "validation_mismatch",
      reason: "the verifier approves although a check does not pass",
      source: "verifier",
    };
  if (qa === "needs_revision") return { reasonCode: "qa_failed", reason: "QA asks for a revision", source: "qa" };
  if (qa === "needs_more_evidence" || qa === "blocked")
    return { reasonCode: "qa_inconclusive", reason: `QA said ${qa}`, source: "qa" };
  return null;
}

/** At most once a pass: the first cause decides. */
export function triggerCritic(run: Run, pass: Pass, deps: MachineDeps): Decision | null {
  if (pass.trigger) return null;
  const cause = causeOf(run, pass);
  if (!cause) return null;
  const called = run.roles.critic !== undefined;
  const response = acceptedOf(run, pass[cause.source])?.response ?? null;
  const evidenceRefs = [pass.validation?.artifact, pass.routing?.artifact, pass.captured?.patch?.full]
    .filter((ref) => ref !== undefined)
    .map(({ ref }) => ref);
  const body = {
    reasonCode: cause.reasonCode,
    reason: called ? cause.reason : `${cause.reason}; no critic is assigned`,
    called,
    sourceRoles: [cause.source],
    evidenceRefs,
    responseRef: response?.ref ?? null,
  };
  return written(run, pass, body, `critic ${called ? "called" : "not called"}: ${cause.reason}`, deps);
}

/** The same decision with the critic's answer in it, once there is one. */
export function answerTrigger(run: Run, pass: Pass, deps: MachineDeps): Decision | null {
  const { trigger } = pass;
  if (!trigger?.called) return null;
  const answer = acceptedOf(run, pass.critic)?.response;
  if (!answer || trigger.criticResponseRef !== undefined) return null;
  const { reasonCode, reason, called, sourceRoles, evidenceRefs, responseRef } = trigger;
  const body = { reasonCode, reason, called, sourceRoles, evidenceRefs, responseRef };
  return written(
    run,
    pass,
    { ...body, criticResponseRef: answer.ref },
    `critic answered: ${plainLine(reason, 200)}`,
    deps,
  );
}

function written(
  run: Run,
  pass: Pass,
  body: Omit<CriticTrigger, "artifact">,
  summary: string,
  deps: MachineDeps,
): Decision {
  const value = { schemaVersion: 1, kind: "critic_trigger", runId: run.runId, pass: pass.number, ...body };
  const artifact = jsonArtifact(deps, "critic_trigger", value, summary);
  const trigger = { ...body, artifact: artifact.ref };
  return { events: [{ type: "critic_trigger_written", pass: pass.number, trigger }], artifacts: [artifact] };
}
