// One lane for each role: its agent, its present work, its cost.
import { dollars, roles, roleTable, type Role } from "../../contract/index.ts";
import { openCalls } from "../facts/index.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { rowOf } from "./rows.ts";
import type { ResponsibilityId, RoleLane, Row } from "./shapes.ts";

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

/** The cost of calls as their providers report it, and the number of answered calls without a reported cost. */
export function laneCost(calls: readonly AgentCall[]): { readonly usd: number; readonly untold: number } {
  const paid = calls.filter(({ record, result }) => record.assignment.modelBacked && result !== null);
  const costs = paid.flatMap(({ result }) => result?.usage.costUsd ?? []);
  return { usd: costs.reduce((sum, usd) => sum + usd, 0), untold: paid.length - costs.length };
}

export function costText({ usd, untold }: ReturnType<typeof laneCost>): string {
  const unknown = untold === 0 ? "" : `${untold} ${untold === 1 ? "call" : "calls"} of unknown cost`;
  if (usd === 0 && untold > 0) return unknown;
  return unknown === "" ? dollars(usd) : `${dollars(usd)} and ${unknown}`;
}

export function roleLanes(run: Run): RoleLane[] {
  return roles.map((role) => (role === "integrator" ? integratorLane(run) : agentLane(run, role)));
}

type Laned = Omit<RoleLane, keyof Row | "role" | "label" | "responsibility">;

/** The fields in the order of the JSON output. */
function lane(role: Role, { owner, authority, required, canSatisfyGate, refs }: Row, laned: Laned): RoleLane {
  const { state, ...numbers } = laned;
  const label = roleTable[role].label;
  const responsibility = responsibilityOf[role];
  return { role, label, owner, authority, state, responsibility, required, canSatisfyGate, ...numbers, refs };
}

function agentLane(run: Run, role: Exclude<Role, "integrator">): RoleLane {
  const calls = run.calls.filter((call) => call.record.role === role);
  const last = calls.at(-1);
  const outcome = last?.result?.outcome;
  const row = rowOf(run, role, {
    required: run.created.mode === "implement" && (role === "implementer" || role === "verifier"),
    canSatisfyGate: roleTable[role].satisfies !== null,
    ...(outcome?.result === "accepted" ? { artifacts: [outcome.response], events: [last?.result?.seq] } : {}),
  });
  return lane(role, row, {
    state: stateOf(run, role, last),
    calls: calls.length,
    tokens: tokensOf(calls),
    cost: laneCost(calls),
    last: lastOutcome(last),
  });
}

function stateOf(run: Run, role: Exclude<Role, "integrator">, last: AgentCall | undefined): RoleLane["state"] {
  const open = openCalls(run).filter((call) => call.record.role === role);
  if (open.length > 0) return open.some((call) => call.posted) ? "working" : "waiting";
  if (!run.roles[role] && !last) return "unassigned";
  if (!last?.result) return "idle";
  return last.result.outcome.result === "accepted" && last.result.outcome.status === "ok" ? "done" : "failed";
}

function lastOutcome(last: AgentCall | undefined): string | null {
  const outcome = last?.result?.outcome;
  if (!outcome) return null;
  if (outcome.result === "accepted") return outcome.summary;
  return outcome.result === "refused" ? `refused: ${outcome.reason}` : `${outcome.result}: ${outcome.why}`;
}

function integratorLane(run: Run): RoleLane {
  const done = run.passes.flatMap(({ integration }) => integration ?? []);
  const row = rowOf(run, "integrator", {
    required: run.created.mode === "implement",
    canSatisfyGate: true,
    artifacts: done.map(({ report }) => report),
    events: done.map(({ seq }) => seq),
  });
  return lane("integrator", row, {
    state: run.phase.state === "integrating" ? "working" : done.length > 0 ? "done" : "idle",
    calls: done.length,
    tokens: 0,
    cost: laneCost([]),
    last: done.length > 0 ? `applied ${done.at(-1)?.paths.length ?? 0} files` : null,
  });
}
