// The shapes of the derived views. They show; they schedule, grant and satisfy nothing.
import type { FailureClass, Role, Suggestion } from "../../contract/index.ts";

export type Authority = "edit" | "read_only" | "runtime" | "operator";

export interface Owner {
  readonly kind: "agent" | "runtime" | "operator" | "nobody";
  readonly label: string;
  readonly role: Role | null;
  readonly assignment: string | null;
}

/** References into the record: artifacts by hash, events by number. */
export interface Refs {
  readonly artifacts: readonly string[];
  readonly events: readonly number[];
}

/** The common part of a review lane, a responsibility and a crew lane. */
export interface Row {
  readonly owner: Owner;
  readonly authority: Authority;
  readonly required: boolean;
  readonly canSatisfyGate: boolean;
  readonly refs: Refs;
}

export interface ReviewLane extends Row {
  readonly id: "validation" | "qa" | "verifier" | "critic";
  readonly title: string;
  readonly satisfied: boolean;
  readonly state: "pending" | "satisfied" | "needs_revision" | "blocked" | "failed" | "skipped";
  readonly why: string;
  /** Summons of the same role: evidence that never satisfies the lane. */
  readonly beside: readonly string[];
}

export const responsibilityIds = [
  "plan",
  "implement",
  "integrate",
  "test",
  "qa",
  "verify",
  "critique",
  "operator_approval",
  "complete",
  "reconcile",
] as const;
export type ResponsibilityId = (typeof responsibilityIds)[number];

export interface Responsibility extends Row {
  readonly id: ResponsibilityId;
  readonly status: "pending" | "ready" | "in_progress" | "satisfied" | "blocked" | "skipped" | "advisory";
  readonly blockers: readonly string[];
}

/** US dollars as providers report them or as they are estimated, and the calls of which neither is known. */
export interface LaneCost {
  readonly usd: number;
  readonly untold: number;
  /** The part of `usd` that is estimated from tokens; absent where nothing is. */
  readonly estimatedUsd?: number;
}

export interface RoleLane extends Row {
  readonly role: Role;
  readonly label: string;
  readonly state: "unassigned" | "idle" | "working" | "waiting" | "done" | "failed";
  readonly responsibility: ResponsibilityId | null;
  readonly calls: number;
  readonly tokens: number;
  readonly cost: LaneCost;
  readonly last: string | null;
}

export type CrewLaneId =
  | "planner"
  | "orchestrator"
  | "researcher"
  | "builder"
  | "runtime_qa"
  | "qa_tester"
  | "verifier"
  | "critic"
  | "citation"
  | "integrator"
  | "approval"
  | "reconciliation"
  | "completion";

/** The lane of a role, of the runtime or of the operator. */
export interface CrewLane extends Omit<RoleLane, "role"> {
  readonly id: CrewLaneId;
  readonly title: string;
  /** Null: the runtime or the operator fills it. */
  readonly role: Role | null;
  /** The status of its responsibility, where it has one. */
  readonly status: Responsibility["status"] | null;
}

export interface Handoff {
  readonly seq: number;
  readonly at: number;
  readonly kind: "agent_handoff" | "approval_gate" | "approval_auto_approved" | "completion";
  /** `side`: a summon, an item of a fan-out or a reconciliation. It moves nothing. */
  readonly lane: "main" | "side";
  /** The side task, and the fan-out that it is an item of. */
  readonly sideId: string | null;
  readonly groupId: string | null;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly gateId: string | null;
  readonly artifacts: readonly string[];
}

export interface RevisionTrail {
  readonly revisionId: string;
  readonly status:
    | "packet_written"
    | "delegated"
    | "repairing"
    | "repair_reported"
    | "awaiting_review"
    | "reviewed"
    | "superseded";
  readonly sourceRole: string;
  readonly reasonCode: string;
  /** The class of the failure that the repair is for. */
  readonly failureClass: FailureClass | null;
  readonly reason: string;
  readonly pass: number;
  readonly packet: string;
  readonly repair: string | null;
  readonly validation: string | null;
  readonly reviews: readonly string[];
  readonly handoffs: readonly number[];
  readonly completion: number | null;
}

export interface NextAction {
  readonly kind: string;
  readonly owner: "operator" | "runtime" | "provider";
  readonly blocking: boolean;
  readonly reason: string;
  readonly command: Suggestion | null;
  readonly tool: string | null;
  readonly refs: readonly string[];
}
