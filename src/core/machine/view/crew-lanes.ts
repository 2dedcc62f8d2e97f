// One lane for each role: its agent, its present work, its cost.
import { dollars, roles, roleTable, type Role } from "../../contract/index.ts";
import { openCalls } from "../facts/index.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { authorityOf, noRefs, ownerOf, ownerRefs } from "./owners.ts";
import type { CrewLane, ResponsibilityId } from "./shapes.ts";

const responsibilityOf: Readonly<Record<Role, ResponsibilityId | null>> = {
  orchestrator: "plan",
  planner: "plan",
  researcher: null,
  implementer: "implement",
  integrator: "integrate",
  qa: "qa",
  verifier: "verify",
  critic: "critique",
  citation: null,
};

export const tokensOf = (calls: readonly AgentCall[]): number =>
  calls.reduce(
    (sum, call) => sum + (call.result ? call.result.usage.inputTokens + call.result.usage.outputTokens : 0),
    0,
  );

/** The cost of calls, as their providers told it, and the answered calls whose provider told none. */
export function laneCost(calls: readonly AgentCall[]): { readonly usd: number; readonly untold: number } {
  const paid = calls.filter(({ record, result }) => record.assignment.modelBacked && result !== null);
  const told = paid.flatMap(({ result }) => result?.usage.costUsd ?? []);
  return { usd: told.reduce((sum, usd) => sum + usd, 0), untold: paid.length - told.length };
}

export function costText({ usd, untold }: ReturnType<typeof laneCost>): string {
  const unknown = untold === 0 ? "" : `${untold} ${untold === 1 ? "call" : "calls"} of unknown cost`;
  if (usd === 0 && untold > 0) return unknown;
  return unknown === "" ? dollars(usd) : `${dollars(usd)} and ${unknown}`;
}

export function crewLanes(run: Run): CrewLane[] {
  return roles.map((role) => (role === "integrator" ? integratorLane(run) : agentLane(run, role)));
}

function agentLane(run: Run, role: Exclude<Role, "integrator">): CrewLane {
  const calls = run.calls.filter((call) => call.record.role === role);
  const last = calls.at(-1);
  return {
    role,
    label: roleTable[role].label,
    owner: ownerOf(run, role),
    authority: authorityOf(role),
    state: stateOf(run, role, last),
    responsibility: responsibilityOf[role],
    required: run.created.mode === "implement" && (role === "implementer" || role === "verifier"),
    canSatisfyGate: roleTable[role].satisfies !== null,
    calls: calls.length,
    tokens: tokensOf(calls),
    cost: laneCost(calls),
    last: lastWords(last),
    refs:
      last?.result?.outcome.result === "accepted"
        ? ownerRefs([last.result.outcome.response], [last.result.seq])
        : noRefs,
  };
}

function stateOf(
  run: Run,
  role: Exclude<Role, "integrator">,
  last: AgentCall | undefined,
): CrewLane["state"] {
  const open = openCalls(run).filter((call) => call.record.role === role);
  if (open.length > 0) return open.some((call) => call.posted) ? "working" : "waiting";
  if (!run.roles[role] && !last) return "unassigned";
  if (!last?.result) return "idle";
  return last.result.outcome.result === "accepted" && last.result.outcome.status === "ok" ? "done" : "failed";
}

function lastWords(last: AgentCall | undefined): string | null {
  const outcome = last?.result?.outcome;
  if (!outcome) return null;
  if (outcome.result === "accepted") return outcome.summary;
  return outcome.result === "refused" ? `refused: ${outcome.reason}` : `${outcome.result}: ${outcome.why}`;
}

function integratorLane(run: Run): CrewLane {
  const done = run.passes.filter((pass) => pass.integration);
  const state = run.phase.state === "integrating" ? "working" : done.length > 0 ? "done" : "idle";
  return {
    role: "integrator",
    label: roleTable.integrator.label,
    owner: ownerOf(run, "integrator"),
    authority: "runtime",
    state,
    responsibility: "integrate",
    required: run.created.mode === "implement",
    canSatisfyGate: true,
    calls: done.length,
    tokens: 0,
    cost: laneCost([]),
    last: done.length > 0 ? `applied ${done.at(-1)?.integration?.paths.length ?? 0} files` : null,
    refs: ownerRefs(
      done.map((pass) => pass.integration?.report),
      done.map((pass) => pass.integration?.seq),
    ),
  };
}
