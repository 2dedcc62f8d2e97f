// The shapes of the derived views. They show; they schedule, grant and satisfy nothing.
import type { Role, Suggestion } from "../../contract/index.ts";

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

export interface ReviewLane {
  readonly id: "validation" | "qa" | "verifier" | "critic";
  readonly title: string;
  readonly owner: Owner;
  readonly authority: Authority;
  readonly required: boolean;
  readonly canSatisfyGate: boolean;
  readonly satisfied: boolean;
  readonly state: "pending" | "satisfied" | "needs_revision" | "blocked" | "failed" | "skipped";
  readonly why: string;
  readonly refs: Refs;
  /** Summons about the same matter: evidence that never satisfies the lane. */
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

export interface Responsibility {
  readonly id: ResponsibilityId;
  readonly owner: Owner;
  readonly authority: Authority;
  readonly status: "pending" | "ready" | "in_progress" | "satisfied" | "blocked" | "skipped" | "advisory";
  readonly required: boolean;
  readonly canSatisfyGate: boolean;
  readonly blockers: readonly string[];
  readonly refs: Refs;
}

export interface CrewLane {
  readonly role: Role;
  readonly label: string;
  readonly owner: Owner;
  readonly authority: Authority;
  readonly state: "unassigned" | "idle" | "working" | "waiting" | "done" | "failed";
  readonly responsibility: ResponsibilityId | null;
  readonly required: boolean;
  readonly canSatisfyGate: boolean;
  readonly calls: number;
  readonly tokens: number;
  /** US dollars as providers told them, and the calls that told none. */
  readonly cost: { readonly usd: number; readonly untold: number };
  readonly last: string | null;
  readonly refs: Refs;
}

export interface Handoff {
  readonly seq: number;
  readonly at: number;
  readonly kind: "agent_handoff" | "approval_gate" | "approval_auto_approved" | "completion";
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
