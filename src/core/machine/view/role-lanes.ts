// One lane for each role: its agent, its present work, its cost.
import { dollars, roles, roleTable, type Role } from "../../contract/index.ts";
import { costOf, openCalls, type Cost } from "../facts/index.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { rowOf } from "./rows.ts";
import type { LaneCost, ResponsibilityId, RoleLane, Row } from "./shapes.ts";

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

/** The cost of calls as their providers report it or as it is estimated, and the number of calls of which neither is known. */
export function laneCost(calls: readonly AgentCall[], limited: boolean): LaneCost {
  const paid = calls.flatMap(({ record, result }) =>
    record.assignment.modelBacked && result ? [costOf(record.assignment, result.usage, limited)] : [],
  );
  const known = paid.filter((cost) => cost !== null);
  const sum = (costs: readonly Cost[]) => costs.reduce((total, { usd }) => total + usd, 0);
  const guessed = sum(known.filter(({ estimated }) => estimated));
  return {
    usd: sum(known),
    untold: paid.length - known.length,
    ...(guessed > 0 ? { estimatedUsd: guessed } : {}),
  };
}

export const runCost = (run: Run): LaneCost => laneCost(run.calls, run.limits.usd !== null);

/** An amount, marked where all of it or a part of it is an estimate. */
export function amountText({ usd, estimatedUsd = 0 }: Pick<LaneCost, "usd" | "estimatedUsd">): string {
  if (estimatedUsd === 0) return dollars(usd);
  return estimatedUsd >= usd
    ? `about ${dollars(usd)}`
    : `${dollars(usd)}, of which about ${dollars(estimatedUsd)} estimated`;
}

export function costText(cost: LaneCost): string {
  const { usd, untold } = cost;
  const unknown = untold === 0 ? "" : `${untold} ${untold === 1 ? "call" : "calls"} of unknown cost`;
  if (usd === 0 && untold > 0) return unknown;
  return unknown === "" ? amountText(cost) : `${amountText(cost)} and ${unknown}`;
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
    cost: laneCost(calls, run.limits.usd !== null),
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
    cost: laneCost([], false),
    last: done.length > 0 ? `applied ${done.at(-1)?.paths.length ?? 0} files` : null,
  });
}
