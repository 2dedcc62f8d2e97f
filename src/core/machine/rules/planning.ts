// The rules while planning and delegating: look at the repository, ask the guest role, act on its decision.
import { ask } from "../call/ask.ts";
import { startSheet } from "../call/start-sheet.ts";
import { callOf, currentPlan, firstRole } from "../facts/index.ts";
import { openGate } from "../gate/open.ts";
import { nextLook } from "../next/planning.ts";
import { type Decision, type MachineDeps, combine } from "../decision.ts";
import type { Delegating, Planning, Run } from "../state/index.ts";
import { enter, enterImplementing, failRun } from "../transition.ts";
import { type RoleDecision, actOn, decisionOf, owner, recordPlan } from "./decision.ts";
import { finishReading } from "./complete.ts";

function startGate(run: Run, decision: RoleDecision, deps: MachineDeps): Decision {
  const plan = currentPlan(run);
  const refs = [...(plan ? [plan.ref] : []), ...(run.created.quoted ?? [])];
  const lines = [
    `plan: ${decision.accepted.summary}`,
    ...decision.brief.acceptanceCriteria.map((text) => `- criterion: ${text}`),
  ];
  return openGate(run, deps, { ...startSheet(run, lines), refs });
}

/** The decision hands the work to the worker. */
function hand(run: Run, phase: Planning, decision: RoleDecision, deps: MachineDeps): Decision {
  if (run.created.mode !== "implement") return combine(recordPlan(run, decision), finishReading(run, phase, deps));
  if (currentPlan(run)?.callId !== decision.call.record.callId) return recordPlan(run, decision);
  if (run.startedPlan !== decision.call.record.callId) return startGate(run, decision, deps);
  return enter(run, phase, "delegating", "the plan may be carried out");
}

/** A consulted role has responded. In a mode that only reads this may be the end; else the decider goes on with it. */
function reported(run: Run, phase: Planning | Delegating, deps: MachineDeps): Decision {
  const call = callOf(run, phase.last);
  const guest = owner(run, phase);
  if (!call || call.record.role === guest || guest === "researcher" || guest === "critic")
    return finishReading(run, phase, deps);
  return ask(run, deps, {
    role: guest,
    phase: phase.state === "delegating" ? "delegate" : "plan",
    why: `the ${call.record.role} has reported`,
  });
}

export function whilePlanning(run: Run, phase: Planning, deps: MachineDeps): Decision | null {
  if (run.inspection?.safe === false)
    return failRun(
      "unsafe_repository",
      "permission_denied",
      `This repository is not safe to work in: ${run.inspection.problems.join("; ")}`,
      "Remove what was found, or work in a clean clone.",
    );
  if (nextLook(run, phase)) return null;
  if (phase.last === null) {
    const role = firstRole(run);
    const deciding = role === "planner" || role === "orchestrator";
    return ask(run, deps, { role, phase: deciding ? "plan" : "consult", why: `mode ${run.created.mode}` });
  }
  const decision = decisionOf(run, phase);
  return decision
    ? actOn(run, phase, decision, () => hand(run, phase, decision, deps), deps)
    : reported(run, phase, deps);
}

/** The plan was approved. An orchestrator that made it has delegated by it; a planner has not. */
export function whileDelegating(run: Run, phase: Delegating, deps: MachineDeps): Decision | null {
  if (nextLook(run, phase)) return null;
  const plan = callOf(run, currentPlan(run)?.callId ?? null);
  const delegated = !run.roles.orchestrator || plan?.record.role === "orchestrator";
  const go = (why: string) => enterImplementing<Delegating>(run, phase, why);
  if (phase.last === null) {
    if (delegated) return go("the plan names the work");
    return ask(run, deps, { role: "orchestrator", phase: "delegate", why: "the plan is approved" });
  }
  const decision = decisionOf(run, phase);
  return decision ? actOn(run, phase, decision, () => go(decision.brief.reason), deps) : reported(run, phase, deps);
}
