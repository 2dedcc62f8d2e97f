// The lanes of the crew, as a person reads a run: who plans, builds, checks, reviews, applies, approves, reconciles and
// completes it. Each role has one lane; the runtime and the operator have theirs. Lanes show and grant nothing.
import { roleTable, type Role } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";
import { laneCost, roleLanes } from "./role-lanes.ts";
import { workRows, type WorkRow } from "./rows.ts";
import type { CrewLane, CrewLaneId, ResponsibilityId, RoleLane } from "./shapes.ts";

interface LaneRules {
  readonly title: string;
  /** The role that fills the lane in this run; null where no role does; undefined where the run has no such lane. */
  readonly role: (run: Run) => Role | null | undefined;
  readonly responsibility: ResponsibilityId | null;
}

const filledBy = (role: Role) => () => role;
const withoutRole = () => null;

/** The order in which lanes are listed. */
const laneTable: Readonly<Record<CrewLaneId, LaneRules>> = {
  planner: {
    title: "Planner",
    role: ({ roles }) => (roles.planner ? "planner" : "orchestrator"),
    responsibility: "plan",
  },
  // Without a planner the orchestrator plans, and its lane is that of the planner.
  orchestrator: {
    title: "Orchestrator",
    role: ({ roles }) => (roles.planner ? "orchestrator" : undefined),
    responsibility: null,
  },
  researcher: { title: "Researcher", role: filledBy("researcher"), responsibility: null },
  builder: { title: "Builder", role: filledBy("implementer"), responsibility: "implement" },
  runtime_qa: { title: "Runtime QA", role: withoutRole, responsibility: "test" },
  qa_tester: { title: "QA tester", role: filledBy("qa"), responsibility: "qa" },
  verifier: { title: "Verifier", role: filledBy("verifier"), responsibility: "verify" },
  critic: { title: "Critic", role: filledBy("critic"), responsibility: "critique" },
  citation: { title: "Citation", role: filledBy("citation"), responsibility: null },
  integrator: { title: "Integrator", role: filledBy("integrator"), responsibility: "integrate" },
  approval: { title: "Approval", role: withoutRole, responsibility: "operator_approval" },
  reconciliation: { title: "Reconciliation", role: withoutRole, responsibility: "reconcile" },
  completion: { title: "Completion", role: withoutRole, responsibility: "complete" },
};

const states: Readonly<Record<WorkRow["status"], CrewLane["state"]>> = {
  pending: "idle",
  ready: "idle",
  skipped: "idle",
  in_progress: "working",
  blocked: "waiting",
  satisfied: "done",
  advisory: "done",
};

type Work = Pick<CrewLane, "state" | "calls" | "tokens" | "cost" | "last">;

function workOf(role: RoleLane | undefined, row: WorkRow | undefined): Work {
  if (role) {
    const { state, calls, tokens, cost, last } = role;
    return { state, calls, tokens, cost, last };
  }
  const broken = row?.review?.state === "needs_revision" || row?.review?.state === "failed";
  return {
    state: broken ? "failed" : states[row?.status ?? "pending"],
    calls: 0,
    tokens: 0,
    cost: laneCost([], false),
    last: row?.review?.why ?? (row && row.blockers.length > 0 ? row.blockers.join("; ") : null),
  };
}

function laneOf(run: Run, id: CrewLaneId, ofRoles: readonly RoleLane[], rows: readonly WorkRow[]): CrewLane[] {
  const { title, role, responsibility } = laneTable[id];
  const name = role(run);
  if (name === undefined) return [];
  const ofRole = ofRoles.find((lane) => lane.role === name);
  const row = rows.find((one) => one.id === responsibility);
  const shown = row ?? ofRole;
  if (!shown) throw new Error(`The lane ${id} has neither a role nor a responsibility.`);
  const { owner, authority } = ofRole ?? shown;
  const { required, canSatisfyGate } = shown;
  const { state, ...numbers } = workOf(ofRole, row);
  const status = row?.status ?? null;
  const label = name === null ? owner.label : roleTable[name].label;
  const refs = ofRole && ofRole.refs.artifacts.length > 0 ? ofRole.refs : shown.refs;
  const lane = { id, title, role: name, label, owner, authority, state, status, responsibility };
  return [{ ...lane, required, canSatisfyGate, ...numbers, refs }];
}

export function crewLanes(run: Run): CrewLane[] {
  const ofRoles = roleLanes(run);
  const rows = workRows(run);
  return (Object.keys(laneTable) as CrewLaneId[]).flatMap((id) => laneOf(run, id, ofRoles, rows));
}
