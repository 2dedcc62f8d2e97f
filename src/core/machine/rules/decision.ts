// The step that follows a decision of the orchestrator or planner. Its text is data; this table decides (R-12, R-72,
//
import type { ResponseBrief, GateKind, Role } from "../../contract/index.ts";
import { ask } from "../call/ask.ts";
import { type Accepted, callOf, currentPlan, firstRole } from "../facts/index.ts";
import { openGate } from "../gate/open.ts";
import { type Decision, type MachineDeps, emit, combine } from "../decision.ts";
import type { AgentCall, Delegating, Planning, Run } from "../state/index.ts";
import { enter } from "../transition.ts";

import { requestEvidence } from "./evidence.ts";
import { finishReading } from "./complete.ts";

type Decided = Extract<ResponseBrief, { action: unknown }>;
export type DecidingPhase = Planning | Delegating;

export interface RoleDecision {
  readonly call: AgentCall;
  readonly accepted: Accepted;
  readonly brief: Decided;
}

/** The decider that owns this phase; consulted roles report back to it. */
export const owner = (run: Run, phase: DecidingPhase) =>
  phase.state === "delegating" ? ("orchestrator" as const) : firstRole(run);

const readOnlyRoles: readonly Role[] = [
  "orchestrator",
  "planner",
  "researcher",
  "qa",
  "verifier",
  "critic",
  "citation",
];

function stop(
  run: Run,
  kind: GateKind,
  decision: RoleDecision,
  shown: readonly string[],
  deps: MachineDeps,
  role?: Role,
): Decision {
  const { callId, role: from } = decision.call.record;
  return openGate(run, deps, {
    kind,
    shown: [...shown, `The ${from} said: ${decision.brief.reason}`],
    refs: [decision.accepted.response],
    about: { callId, role: role ?? from },
  });
}

/** The decision becomes the plan of record; the plan before it is marked, not overwritten. */
export function recordPlan(run: Run, decision: RoleDecision): Decision {
  const { callId } = decision.call.record;
  const old = currentPlan(run);
  if (old?.callId === callId) return emit();
  const mark = old
    ? emit({ type: "plan_superseded", plan: old.ref, why: `replaced by the answer to ${callId}` })
    : emit();
  return combine(
    mark,
    emit({
      type: "plan_recorded",
      callId,
      plan: decision.accepted.response,
      summary: decision.accepted.summary.slice(0, 500),
    }),
  );
}

/** Work handed to another role that only reads. */
function consult(run: Run, phase: DecidingPhase, decision: RoleDecision, target: Role, deps: MachineDeps): Decision {
  const from = decision.call.record.role;
  if (target === from)
    return stop(run, "self_read_only_delegate", decision, [`The ${from} hands the work to itself.`], deps);
  if (!readOnlyRoles.includes(target) || target === "integrator" || target === "implementer")
    return stop(
      run,
      "unsupported_read_only_delegate_role",
      decision,
      [`The ${from} hands the work to the ${target}, which cannot take it in mode ${run.created.mode}.`],
      deps,
    );
  if (!run.roles[target])
    return stop(
      run,
      "missing_read_only_delegate_assignment",
      decision,
      [`The ${from} hands the work to the ${target}, and no agent is assigned to it.`],
      deps,
      target,
    );
  // The response of a decider decides; that of another role goes back to the decider.
  const decider = target === "planner" || target === "orchestrator";
  return ask(run, deps, {
    role: target,
    phase: decider && phase.state === "planning" ? "plan" : "consult",
    why: `the ${from} handed over: ${decision.brief.reason}`,
  });
}

function wantsEvidence(run: Run, brief: Decided): boolean {
  if (brief.requiresMoreEvidence) return true;
  if (brief.target !== null) return false;
  return run.created.mode !== "implement" || brief.requestedPaths.length > 0;
}

/** The decider says that the goal is reached. With evidence the run verifies; without it a person looks first. */
function claimDone(run: Run, phase: DecidingPhase, decision: RoleDecision, deps: MachineDeps): Decision {
  if (run.created.mode !== "implement") return combine(recordPlan(run, decision), finishReading(run, phase, deps));
  const known = decision.brief.evidenceRefs.some((ref) => run.artifacts.some((artifact) => artifact.ref === ref));
  if (!known && !phase.goOn)
    return stop(
      run,
      "orchestrator_complete_without_evidence",
      decision,
      ["It names no evidence that this run recorded."],
      deps,
    );
  return combine(
    recordPlan(run, decision),
    enter(run, phase, "verifying", "nothing to change; the present state is verified"),
  );
}

function planAgain(run: Run, phase: DecidingPhase, decision: RoleDecision, deps: MachineDeps): Decision {
  const decisions = run.calls.filter(({ record }) => record.phase === "plan" || record.phase === "delegate");
  const revised = decisions.slice(-2).every((call) => {
    const outcome = call.result?.outcome;
    return (
      outcome?.result === "accepted" &&
      outcome.brief !== null &&
      "action" in outcome.brief &&
      outcome.brief.action === "revise_plan"
    );
  });
  if (decisions.length >= 2 && revised)
    return openGate(run, deps, {
      kind: "repeated_failure",
      shown: [
        "The plan was sent back twice in a row without anything else happening.",
        "Likely cause: the goal is not clear.",
        decision.brief.reason,
      ],
      refs: [decision.accepted.response],
      about: { cause: "unclear_goal" },
      failureClass: "ambiguous_goal",
    });
  const old = currentPlan(run);
  const mark = old ? emit({ type: "plan_superseded", plan: old.ref, why: decision.brief.reason }) : emit();
  if (phase.state === "delegating") return combine(mark, enter(run, phase, "planning", decision.brief.reason));
  return combine(mark, ask(run, deps, { role: decision.call.record.role, phase: "plan", why: "it revises its plan" }));
}

/** An agent does not end a run: a person does, or sends the agent on. */
function abortGate(run: Run, { call, accepted, brief }: RoleDecision, deps: MachineDeps): Decision {
  const { callId, role, assignment } = call.record;
  return openGate(run, deps, {
    kind: "provider_requested_approval",
    title: "A role wants to end the run",
    answers: ["approve", "revise", "abort"],
    shown: [
      `The ${role} (${assignment.assignment}) wants to end the run: ${brief.reason}`,
      "Abort ends it. Approve asks the role again, revise asks it again with your words; you can give the role to another agent before.",
    ],
    refs: [accepted.response],
    about: { callId, role, assignment: assignment.assignment, cause: "decision_abort" },
  });
}

/** `go` is the step that hands the work to the worker. */
export function actOn(
  run: Run,
  phase: DecidingPhase,
  decision: RoleDecision,
  go: () => Decision,
  deps: MachineDeps,
): Decision {
  const { brief } = decision;
  switch (brief.action) {
    case "delegate":
      if (wantsEvidence(run, brief)) return requestEvidence(run, phase, decision, deps);
      if (brief.target === null || brief.target === "implementer") return go();
      return consult(run, phase, decision, brief.target, deps);
    case "critique":
      return run.roles.critic && decision.call.record.role !== "critic"
        ? consult(run, phase, decision, "critic", deps)
        : claimDone(run, phase, decision, deps);
    case "verify":
    case "complete":
      return claimDone(run, phase, decision, deps);
    case "request_approval":
      return stop(run, "provider_requested_approval", decision, ["It asks for your decision before it goes on."], deps);
    case "revise_plan":
      return planAgain(run, phase, decision, deps);
    case "abort":
      return abortGate(run, decision, deps);
  }
}

/** The decision that waits to be acted on, if the last response is one. */
export function decisionOf(run: Run, phase: DecidingPhase): RoleDecision | null {
  const call = callOf(run, phase.last);
  const accepted = call?.result?.outcome;
  if (!call || accepted?.result !== "accepted" || !accepted.brief || !("action" in accepted.brief)) return null;
  return { call, accepted, brief: accepted.brief };
}
