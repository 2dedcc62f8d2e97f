// The agent board: a card for each role, and a table of the lanes of the crew. It is bounded and grants nothing.
import { plainLine, roleTable, type Role } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";
import { crewLanes } from "./crew-lanes.ts";
import { roleLanes } from "./role-lanes.ts";
import type { Authority, RoleLane } from "./shapes.ts";

export interface BoardCard {
  readonly role: Role;
  readonly laneLabel: string;
  readonly assignment: string | null;
  readonly source: string;
  readonly readiness: "ready" | "needs_attention" | "unassigned";
  readonly status: RoleLane["state"];
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

function readiness(lane: RoleLane): BoardCard["readiness"] {
  if (lane.state === "failed") return "needs_attention";
  return lane.owner.kind === "nobody" ? "unassigned" : "ready";
}

function card(run: Run, lane: RoleLane): BoardCard {
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
    cards: roleLanes(run).map((lane) => card(run, lane)),
    table: {
      columns: ["lane", "owner", "authority", "status", "required", "can satisfy a gate"],
      rows: crewLanes(run).map((one) => [
        one.id,
        one.owner.assignment ?? one.owner.label,
        one.authority,
        one.status ?? one.state,
        one.required ? "required" : "advisory",
        one.canSatisfyGate ? "yes" : "no",
      ]),
    },
  };
}
