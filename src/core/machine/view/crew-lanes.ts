// One lane for each role: its agent, its present work, its cost; and the agent board, which shows them as cards.
// Bounded; the board grants nothing.
import { dollars, plainLine, roles, roleTable, type Role } from "../../contract/index.ts";
import { openCalls } from "../facts/index.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { responsibilities, rowOf } from "./rows.ts";
import type { Authority, CrewLane, ResponsibilityId, Row } from "./shapes.ts";

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

export function crewLanes(run: Run): CrewLane[] {
  return roles.map((role) => (role === "integrator" ? integratorLane(run) : agentLane(run, role)));
}

type Laned = Omit<CrewLane, keyof Row | "role" | "label" | "responsibility">;

/** The fields in the order of the JSON output. */
function lane(role: Role, { owner, authority, required, canSatisfyGate, refs }: Row, laned: Laned): CrewLane {
  const { state, ...numbers } = laned;
  const label = roleTable[role].label;
  const responsibility = responsibilityOf[role];
  return { role, label, owner, authority, state, responsibility, required, canSatisfyGate, ...numbers, refs };
}

function agentLane(run: Run, role: Exclude<Role, "integrator">): CrewLane {
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

function stateOf(run: Run, role: Exclude<Role, "integrator">, last: AgentCall | undefined): CrewLane["state"] {
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

function integratorLane(run: Run): CrewLane {
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

export interface BoardCard {
  readonly role: Role;
  readonly laneLabel: string;
  readonly assignment: string | null;
  readonly source: string;
  readonly readiness: "ready" | "needs_attention" | "unassigned";
  readonly status: CrewLane["state"];
  readonly authority: Authority;
  readonly permissions: Readonly<Record<"read" | "edit" | "run" | "network", boolean>>;
  readonly responsibility: string | null;
  readonly required: boolean;
  readonly canSatisfyGate: boolean;
  readonly calls: number;
  readonly tokens: number;
  readonly last: string | null;
  readonly refs: readonly string[];
}

export interface AgentBoard {
  readonly schemaVersion: 1;
  readonly kind: "agent_board";
  readonly runId: string;
  readonly state: string;
  readonly note: string;
  readonly cards: readonly BoardCard[];
  readonly table: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
}

function readiness(lane: CrewLane): BoardCard["readiness"] {
  if (lane.state === "failed") return "needs_attention";
  return lane.owner.kind === "nobody" ? "unassigned" : "ready";
}

function card(run: Run, lane: CrewLane): BoardCard {
  const { read, edit, run: mayRun, network } = roleTable[lane.role];
  const assigned = lane.role === "integrator" ? undefined : run.roles[lane.role];
  return {
    role: lane.role,
    laneLabel: lane.label,
    assignment: lane.owner.assignment,
    source: lane.role === "integrator" ? "runtime" : (assigned?.source ?? "unassigned"),
    readiness: readiness(lane),
    status: lane.state,
    authority: lane.authority,
    permissions: { read, edit, run: mayRun, network },
    responsibility: lane.responsibility,
    required: lane.required,
    canSatisfyGate: lane.canSatisfyGate,
    calls: lane.calls,
    tokens: lane.tokens,
    last: lane.last === null ? null : plainLine(lane.last, 160),
    refs: lane.refs.artifacts.slice(-2),
  };
}

export function buildAgentBoard(run: Run): AgentBoard {
  return {
    schemaVersion: 1,
    kind: "agent_board",
    runId: run.runId,
    state: run.phase.state,
    note: "Display only: the board schedules nothing, grants nothing and satisfies no gate.",
    cards: crewLanes(run).map((lane) => card(run, lane)),
    table: {
      columns: ["responsibility", "owner", "authority", "status", "required", "can satisfy a gate"],
      rows: responsibilities(run).map((one) => [
        one.id,
        one.owner.assignment ?? one.owner.label,
        one.authority,
        one.status,
        one.required ? "required" : "advisory",
        one.canSatisfyGate ? "yes" : "no",
      ]),
    },
  };
}
