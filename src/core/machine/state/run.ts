// The state of a run: a fold of its log. The phase holds what is open; the facts beside it hold the past.
import type {
  Actor,
  Agreement,
  ApprovalRecord,
  CallRecord,
  CallResult,
  CheckSpec,
  CiResult,
  DirectiveRecord,
  Finding,
  Gate,
  GitEvidence,
  KeptTests,
  OpenedRequest,
  PostedRecord,
  RemoteContext,
  RepoContext,
  RepositoryInspection,
  RoleAssignments,
  RunCreated,
  RunEventType,
  RunMessage,
  UndoResult,
  TransferManifest,
  Usage,
  ArtifactRef,
  ResolvedAssignment,
  Role,
} from "../../contract/index.ts";
import type { Pass } from "./pass.ts";
import type { Phase } from "./phase.ts";
import type { Side } from "./side.ts";

/** A fact with the place in the log that proves it. */
export interface At {
  readonly seq: number;
  readonly at: number;
}

export interface AgentCall extends At {
  readonly record: CallRecord;
  readonly why: string;
  readonly manifest: (TransferManifest & At) | null;
  readonly transferApproved: boolean;
  /** A person or the policy allowed this one call (summons); the loop's roles are allowed once for the run. */
  readonly invocationApproved: boolean;
  readonly directive: (DirectiveRecord & At) | null;
  readonly posted: (PostedRecord & At) | null;
  readonly result:
    | ({
        readonly outcome: CallResult;
        readonly usage: Usage;
        readonly artifacts: readonly ArtifactRef[];
        /** The confinement of the agent program; null where none was started here. */
        readonly sandbox: string | null;
      } & At)
    | null;
}

export interface Approval extends ApprovalRecord, At {
  readonly gate: Gate;
  readonly auto: string | null;
}

export interface Plan extends At {
  readonly callId: string;
  readonly ref: ArtifactRef;
  readonly summary: string;
  readonly superseded: string | null;
}

export interface Spent {
  /** Responses of the main loop, refused ones included. */
  readonly responses: number;
  readonly tokens: number;
  /** As providers report it, else as it is estimated. */
  readonly usd: number;
  readonly ms: number;
}

export interface RoleSwitch {
  readonly role: Exclude<Role, "integrator">;
  readonly assignment: ResolvedAssignment;
  readonly by: Actor;
  readonly gate: Gate | null;
}

export interface ReceivedMessage extends RunMessage, At {
  readonly by: Actor;
  /** The call that was stopped for it. */
  readonly callId: string | null;
  /** When its wider scope was approved; null where it has none, or none yet. */
  readonly widenedAt: number | null;
}

/** What the person agreed to: narrowed at once by their words, widened only by an approval. */
export interface Scope {
  readonly acceptanceCriteria: readonly string[];
  readonly allowedPaths: readonly string[];
  readonly disallowedPaths: readonly string[];
  /** Paths of an approved widening: a narrower task of the planner does not exclude them. */
  readonly widened: readonly string[];
}

export type Undo = At &
  (
    | { readonly state: "asked"; readonly by: Actor }
    | { readonly state: "done"; readonly taken: UndoResult }
    | { readonly state: "blocked"; readonly message: string; readonly paths: readonly string[] }
  );

export interface Run {
  readonly runId: string;
  readonly created: RunCreated;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  readonly phase: Phase;

  readonly roles: RoleAssignments;
  /** The agreement of a person at the start, for the rest of the run. */
  readonly agreement: Agreement | null;
  /** Role and assignment pairs that may be called for read-only work in this run. */
  readonly authorised: readonly string[];
  /** The call whose plan may be carried out; a new plan needs a new approval. */
  readonly startedPlan: string | null;
  readonly spent: Spent;
  readonly limits: {
    readonly responses: number;
    readonly tokens: number | null;
    readonly usd: number | null;
    readonly ms: number | null;
  };
  /** Refused responses in a row, by role. */
  readonly refusals: Readonly<Partial<Record<Role, number>>>;

  /** The commit and tree that work is measured against. They move when the checkout moved under verified work. */
  readonly base: { readonly commit: string | null; readonly tree: string | null };
  readonly inspection: (RepositoryInspection & At) | null;
  readonly before: (GitEvidence & At) | null;
  readonly checks: readonly CheckSpec[] | null;
  /** The seq at which a person last had the checks run again: no earlier result counts. */
  readonly recheckedAt: number;
  readonly contexts: readonly (RepoContext & At)[];
  readonly remote: { readonly context: RemoteContext | null; readonly reason: string } | null;

  readonly plans: readonly Plan[];
  readonly findings: readonly (Finding & At & { readonly pass: number })[];
  readonly calls: readonly AgentCall[];
  /** The open call of the loop. */
  readonly asking: string | null;
  /** A call of the loop without a usable response that no rule has dealt with yet. */
  readonly trouble: string | null;
  /** The call that is asked again when a limit of its provider is over. */
  readonly limited: ({ readonly callId: string; readonly until: number; readonly why: string } & At) | null;
  /** A call that a person or the rules want asked again. */
  readonly again: string | null;

  readonly passes: readonly Pass[];
  readonly approvals: readonly Approval[];
  readonly side: Side;
  readonly switching: RoleSwitch | null;
  /** What a person wrote to the run while it went on. */
  readonly messages: readonly ReceivedMessage[];
  /** The words whose wider scope waits for an approval. */
  readonly widening: { readonly seq: number; readonly gate: Gate | null } | null;
  readonly scope: Scope;
  readonly artifacts: readonly (ArtifactRef & { readonly seq: number })[];
  readonly recent: readonly { readonly seq: number; readonly at: number; readonly type: RunEventType }[];
  readonly counters: Readonly<Record<"call" | "gate" | "revision" | "side", number>>;
  readonly report: {
    readonly report: ArtifactRef;
    readonly markdown: ArtifactRef;
    readonly proven: number;
    readonly unproven: number;
  } | null;
  /** The accepted answer with blind tests. */
  readonly blind: string | null;
  /** The request for blind tests as files in the checkout, and its result. */
  readonly keepTests: { readonly by: Actor; readonly kept: KeptTests | null } | null;
  /** The pull request of the commit of the run, and what CI said last. */
  readonly request: (OpenedRequest & At) | null;
  readonly ci: (CiResult & At) | null;
  readonly packet: ArtifactRef | null;
  readonly board: ArtifactRef | null;
  readonly retired: readonly string[] | null;
  /** The request to take the work out of the checkout, and its result. */
  readonly undo: Undo | null;
}
