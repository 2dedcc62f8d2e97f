// The responsibilities in the loop, each with its owner and status. They only show; they schedule nothing.
import { acceptedOf, currentPlan, latestPass, openGates, firstRole } from "../facts/index.ts";
import { type Run, activePhase, isEnded } from "../state/index.ts";
import { authorityOf, operatorOwner, ownerOf, ownerRefs, runtimeOwner } from "./owners.ts";
import { reviewLanes } from "./review-lanes.ts";
import type { Responsibility, ResponsibilityId, ReviewLane } from "./shapes.ts";

type Status = Responsibility["status"];

/** Blocked while a gate is open before it, in progress while its phase is the current one. */
function phaseStatus(run: Run, states: readonly string[], otherwise: Status): Status {
  const active = activePhase(run.phase)?.state;
  if (active === undefined || !states.includes(active)) return otherwise;
  return run.phase.state === "awaiting_approval" ? "blocked" : "in_progress";
}

function planning(run: Run): Responsibility {
  const plan = currentPlan(run);
  const role = firstRole(run);
  const done = plan !== undefined || run.phase.state === "completed";
  return {
    id: "plan",
    owner: ownerOf(run, role),
    authority: authorityOf(role),
    status: phaseStatus(run, ["created", "planning", "delegating"], done ? "satisfied" : "pending"),
    required: true,
    canSatisfyGate: false,
    blockers: [],
    refs: ownerRefs([plan?.ref], [plan?.seq]),
  };
}

function implementing(run: Run): Responsibility {
  const pass = latestPass(run);
  const wanted = run.created.mode === "implement";
  return {
    id: "implement",
    owner: ownerOf(run, "implementer"),
    authority: "edit",
    status: wanted ? phaseStatus(run, ["implementing"], pass.captured ? "satisfied" : "pending") : "skipped",
    required: wanted,
    canSatisfyGate: false,
    blockers: [],
    refs: ownerRefs(
      [acceptedOf(run, pass.callId)?.response, pass.captured?.patch?.patch],
      [pass.captured?.seq],
    ),
  };
}

function integrating(run: Run): Responsibility {
  const pass = latestPass(run);
  const wanted = run.created.mode === "implement";
  const nothing = pass.captured !== null && pass.captured.patch === null;
  const otherwise: Status = pass.integration ? "satisfied" : nothing ? "skipped" : "pending";
  return {
    id: "integrate",
    owner: ownerOf(run, "integrator"),
    authority: "runtime",
    status: wanted ? phaseStatus(run, ["integrating"], otherwise) : "skipped",
    required: wanted && !nothing,
    canSatisfyGate: true,
    blockers: [],
    refs: ownerRefs([pass.integration?.report], [pass.integration?.seq]),
  };
}

const laneIds: Readonly<Record<ReviewLane["id"], ResponsibilityId>> = {
  validation: "test",
  qa: "qa",
  verifier: "verify",
  critic: "critique",
};

function laneStatus(run: Run, lane: ReviewLane): Status {
  if (run.created.mode !== "implement") return "skipped";
  switch (lane.state) {
    case "satisfied":
      return lane.canSatisfyGate ? "satisfied" : "advisory";
    case "skipped":
      return "skipped";
    case "pending":
      return phaseStatus(run, ["verifying", "critiquing"], "pending") === "pending" ? "pending" : "ready";
    default:
      return lane.canSatisfyGate ? "blocked" : "advisory";
  }
}

function reviewing(run: Run): Responsibility[] {
  return reviewLanes(run).map((lane) => ({
    id: laneIds[lane.id],
    owner: lane.owner,
    authority: lane.authority,
    status: laneStatus(run, lane),
    required: lane.required,
    canSatisfyGate: lane.canSatisfyGate,
    blockers: laneStatus(run, lane) === "blocked" ? [lane.why] : [],
    refs: lane.refs,
  }));
}

function operator(run: Run): Responsibility {
  const gates = openGates(run);
  return {
    id: "operator_approval",
    owner: operatorOwner,
    authority: "operator",
    status: gates.length > 0 ? "blocked" : "satisfied",
    required: gates.length > 0,
    canSatisfyGate: true,
    blockers: gates.map(({ kind, id }) => `${kind} (${id})`),
    refs: ownerRefs(gates.flatMap(({ subject }) => subject.refs).slice(0, 8), []),
  };
}

function completing(run: Run): Responsibility {
  const status = run.phase.state === "completed" ? "satisfied" : isEnded(run.phase) ? "skipped" : "pending";
  return {
    id: "complete",
    owner: runtimeOwner,
    authority: "runtime",
    status,
    required: true,
    canSatisfyGate: true,
    blockers: [],
    refs: ownerRefs([run.report?.report], []),
  };
}

function reconciling(run: Run): Responsibility {
  const role = run.roles.planner ? "planner" : "orchestrator";
  const done = run.side.reconciled;
  return {
    id: "reconcile",
    owner: ownerOf(run, role),
    authority: "read_only",
    status: done ? "advisory" : run.phase.state === "completed" ? "ready" : "pending",
    required: false,
    canSatisfyGate: false,
    blockers: [],
    refs: ownerRefs([done?.artifact], [done?.seq]),
  };
}

export function responsibilities(run: Run): Responsibility[] {
  return [
    planning(run),
    implementing(run),
    integrating(run),
    ...reviewing(run),
    operator(run),
    completing(run),
    reconciling(run),
  ];
}
