// Failover: a role whose agent fails goes to the next agent of the user's list (B-11). Nobody comes to verify their own
// work that way: an agent that conflicts with the crew, or that failed in this role before, is passed over.
import { type AskedRole, plainLine, type ResolvedAssignment } from "../../contract/index.ts";
import { currentPassNumber } from "../facts/index.ts";
import { type Decision, type MachineDeps, emit, combine } from "../decision.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { askAgain, conflictIn } from "./ask.ts";

function isFree(run: Run, role: AskedRole, agent: ResolvedAssignment): boolean {
  const tried = run.calls.some(
    ({ record }) => record.role === role && record.assignment.identity === agent.identity,
  );
  const canDoIt = role !== "implementer" || agent.edits !== "none";
  return !tried && canDoIt && conflictIn(run, { ...run.roles, [role]: agent }) === null;
}

/** The next agent takes the role and is asked the same; null when the list has none that may. */
export function failOver(run: Run, call: AgentCall, why: string, deps: MachineDeps): Decision | null {
  const { role, assignment } = call.record;
  const agent = run.created.fallbacks?.[role]?.find((one) => isFree(run, role, one));
  if (!agent) return null;
  const message = `The ${role} (${assignment.assignment}) ${plainLine(why, 300)}; ${agent.assignment} takes the role up, by your list of fallbacks.`;
  return combine(
    emit(
      {
        type: "finding_recorded",
        pass: currentPassNumber(run),
        finding: { kind: "agent_replaced", severity: "risk", message, refs: [] },
      },
      { type: "role_assigned", role, assignment: agent, by: { kind: "policy", surface: "runtime" } },
    ),
    askAgain(
      { ...run, roles: { ...run.roles, [role]: agent } },
      call,
      `${assignment.assignment} brought no answer`,
      deps,
    ),
  );
}
