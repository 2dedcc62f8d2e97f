// Effects: the actions that a run requests from the runtime, each with a key, and the outcome of each.
import type { CallLimits } from "../provider.ts";
import type { ArtifactRef } from "../artifact.ts";
import type { ResponseRefusal, RoleResponse } from "../answers/index.ts";
import type { Role } from "../text.ts";
import type { CallRecord, CallViolation, DirectiveRecord, PostedRecord, Usage } from "./call.ts";
import type { BlindTests, KeptTests } from "./blind.ts";
import type { CheckEvidence, CheckPlan, CheckSpec, CheckVariant, CommandRecord } from "./check.ts";
import type { GitEvidence, RemoteContext, RepoContext, RepositoryInspection, TransferManifest } from "./evidence.ts";
import type {
  BaseState,
  CapturedPatch,
  CheckoutState,
  IntegrationReport,
  PatchJudgement,
  UndoResult,
} from "./patch.ts";
import type { Policy, TransferPurpose } from "./policy.ts";

/** Recorded evidence for a role: the engine puts a bounded, redacted excerpt into the directive. */
export interface EvidenceAttachment {
  readonly name: string;
  readonly ref: ArtifactRef;
  readonly maxBytes: number;
  /** Only this part of it, counted from 0, when several calls share it. */
  readonly part?: { readonly index: number; readonly of: number };
}

/** The content of the directive that follows from the log alone. The engine adds excerpts, memory and the marker. */
export interface DirectiveDraft {
  readonly role: Role;
  readonly objective: string;
  readonly instructions: readonly string[];
  readonly toolPermissions: Readonly<Record<"read" | "edit" | "run" | "network", boolean>>;
  readonly outputContract: { readonly name: string; readonly key: string };
  readonly variables: Readonly<Record<string, unknown>>;
  readonly attachments: readonly EvidenceAttachment[];
}

interface Keyed {
  /** Identifies this effect permanently; its outcome is accepted only while the effect is awaited. */
  readonly key: string;
}

export type Effect =
  | (Keyed & { readonly kind: "inspect_repository"; readonly baseCommit: string | null })
  | (Keyed & {
      readonly kind: "discover_checks";
      readonly variant: "base" | "work";
      readonly tree: string;
      readonly policy: Policy;
    })
  | (Keyed & {
      readonly kind: "capture_repo_context";
      readonly goal: string;
      /** The requested paths; empty means: choose by the goal. */
      readonly paths: readonly string[];
      /** Earlier packs, whose truncated files are continued. */
      readonly previous: readonly ArtifactRef[];
    })
  | (Keyed & {
      readonly kind: "select_remote_context";
      readonly provider: string;
      readonly connectorConfirmed: boolean;
    })
  | (Keyed & {
      readonly kind: "write_transfer_manifest";
      readonly call: CallRecord;
      readonly purpose: TransferPurpose;
      readonly phrase: string;
      readonly sources: readonly EvidenceAttachment[];
      /** The number of secrets that were redacted from the directive's sources. More than 0 makes it a secret risk. */
      readonly redactions: number;
      readonly secretKinds?: readonly string[];
    })
  /** Performed by the engine itself. */
  | (Keyed & { readonly kind: "write_directive"; readonly call: CallRecord; readonly draft: DirectiveDraft })
  | (Keyed & {
      readonly kind: "call_provider";
      readonly call: CallRecord;
      readonly record: DirectiveRecord;
      /** The hash of the approved bytes, where they leave this machine: no others are sent. */
      readonly approvedSha256?: string;
      readonly timeoutMs: number;
      /** The remaining budget of the run; a call that reaches it is stopped. */
      readonly limits: CallLimits;
      /** The tree of a new workspace. */
      readonly baseCommit: string | null;
      /** The tree that a read-only call gets as its folder; null for the checkout itself. */
      readonly readsTree: string | null;
    })
  /** The call was posted by a process that has ended: find its response, or report it as in doubt. Never send it again. */
  | (Keyed & {
      readonly kind: "reattach_call";
      readonly call: CallRecord;
      readonly record: DirectiveRecord;
      readonly posted: PostedRecord;
      readonly timeoutMs: number;
      readonly limits: CallLimits;
      readonly baseCommit: string | null;
      readonly readsTree: string | null;
    })
  /** A limit of the provider lasts until then; nothing is asked before. */
  | (Keyed & { readonly kind: "wait_for_provider"; readonly who: string; readonly until: number })
  | (Keyed & {
      readonly kind: "capture_patch";
      readonly pass: number;
      readonly workspace: "worktree" | "direct";
      readonly baseCommit: string;
      /** The tree in the checkout: the base tree, or the tree of the last integrated pass. */
      readonly fromTree: string;
      /** The record of the worker's program; null where there is none. */
      readonly invocation: string | null;
    })
  | (Keyed & {
      readonly kind: "judge_patch";
      readonly pass: number;
      readonly patch: CapturedPatch;
      readonly policy: Policy;
      /** The paths that the approved task narrows the work to; empty means that only the policy narrows it. */
      readonly taskPaths: readonly string[];
      readonly taskDisallowedPaths: readonly string[];
      /** Files of the base commit that its checks run or load, under any name. */
      readonly checkFiles: readonly string[];
      /** Globs that a person declared as product, and the tree whose tests may object. */
      readonly product: { readonly globs: readonly string[]; readonly baseTree: string };
    })
  /** All or nothing, and safe to repeat: a patch that is already in the checkout is reported as applied. */
  | (Keyed & {
      readonly kind: "apply_patch";
      readonly pass: number;
      readonly patch: CapturedPatch;
      readonly judgement: PatchJudgement;
      readonly baseCommit: string;
      /** The checkout must be unchanged since the last inspection; else it is inspected again instead (B-1). `whole`: with all files. */
      readonly exact?: { readonly whole: string | null };
    })
  /** Compares all files of the checkout with the expected tree. */
  | (Keyed & {
      readonly kind: "look_at_checkout";
      readonly pass: number;
      readonly moment: CheckoutState["moment"];
      readonly expected: string;
      /** The paths of the work. New files among them are not tracked yet. */
      readonly paths: readonly string[];
      /** All files at the previous inspection, for the last one: only paths of the work may differ from it. */
      readonly since: string | null;
      /** The work goes on a new branch: files that the user edits count as HEAD has them. */
      readonly forBranch?: true;
    })
  /** Rebuilds the verified change on the current content of the checkout. The checkout is not changed. */
  | (Keyed & {
      readonly kind: "rebuild_candidate";
      readonly pass: number;
      readonly base: BaseState;
      readonly patch: CapturedPatch;
      /** The work is in the checkout: with the edits that the user made to its files it becomes the new candidate. */
      readonly asItIs?: true;
      readonly forBranch?: true;
    })
  | (Keyed & {
      readonly kind: "capture_git_evidence";
      readonly moment: "before" | "after" | "asked";
      readonly pass: number;
    })
  | (Keyed & {
      readonly kind: "run_check";
      readonly pass: number;
      readonly check: CheckSpec;
      /** Less than the check's own timeout when the run has less time left. */
      readonly timeoutMs: number;
      readonly variant: CheckVariant;
      /** The tree to check: the base tree, or the tree with the work. */
      readonly tree: string;
      /** Run before the first call: an earlier result on the same commit may be used. */
      readonly early?: true;
      readonly baseTree: string;
      readonly checkFiles: readonly string[];
      /** Files that look like tests and are product code. */
      readonly productFiles: readonly string[];
      /** The stored result on the base commit. */
      readonly baseline?: ArtifactRef;
    })
  /** Runs the tests of an agent that has not seen the work, on the work and on the base, each in a scratch tree. */
  | (Keyed & {
      readonly kind: "run_blind_tests";
      readonly pass: number;
      readonly callId: string;
      /** The answer that holds the tests, and its author. */
      readonly response: ArtifactRef;
      readonly author: string;
      /** The project's checks that run tests and pass on the work. */
      readonly checks: readonly CheckSpec[];
      readonly timeoutMs: number;
      readonly tree: string;
      readonly baseTree: string;
      readonly checkFiles: readonly string[];
      readonly productFiles: readonly string[];
    })
  /** Writes these files of the answer into the checkout, as far as no file is there. */
  | (Keyed & {
      readonly kind: "keep_blind_tests";
      readonly response: ArtifactRef;
      readonly files: readonly string[];
    })
  | (Keyed & {
      readonly kind: "run_command";
      readonly sideId: string;
      readonly argv: readonly [string, ...string[]];
      readonly cwd: string;
      /** An earlier process started it. Its effect is unknown, so it is not started again. */
      readonly begun: boolean;
      /** The user allowed it although it is risky. */
      readonly allowed: boolean;
      readonly policy: Policy;
      /** It runs on a temporary copy of this tree, with this timeout. */
      readonly onCopy?: { readonly tree: string; readonly timeoutMs: number };
    })
  /** Pin worktrees that hold work under refs/thehood/keep/, then remove the run's worktrees. */
  | (Keyed & { readonly kind: "retire_workspace" })
  /** Removes this work from the checkout; the user's own edits stay. All or nothing. */
  | (Keyed & { readonly kind: "take_out_work"; readonly placed: PlacedWork });

/** The work that a run put into the checkout. */
export interface PlacedWork {
  /** The tree that the work was made from. */
  readonly fromTree: string;
  /** The tree with the work. */
  readonly tree: string;
  readonly paths: readonly string[];
}

type EffectKind = Effect["kind"];
export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>;

export type CallOutcome =
  | { readonly result: "answered"; readonly response: RoleResponse; readonly ref: ArtifactRef }
  | { readonly result: "refused"; readonly refusal: ResponseRefusal; readonly ref: ArtifactRef | null }
  /** The provider was reached and gave no valid response: it failed, timed out, or exceeded the size limit. */
  | {
      readonly result: "failed";
      readonly why: string;
      readonly timedOut: boolean;
      readonly violation?: CallViolation;
      /** A limit of the provider lasts until then. */
      readonly until?: number;
    }
  /** It certainly never started: not installed, not logged in, limit reached. */
  | { readonly result: "not_sent"; readonly why: string; readonly remedy: string | null; readonly until?: number }
  | { readonly result: "in_doubt"; readonly why: string };

/** A path of the checkout that holds uncommitted work of another run, as that run left it. */
export interface WorkInTheWay {
  readonly path: string;
  readonly runId: string;
  readonly goal: string;
}

export type EffectOutcome =
  | { readonly kind: "inspect_repository"; readonly inspection: RepositoryInspection }
  | { readonly kind: "discover_checks"; readonly plan: CheckPlan }
  | { readonly kind: "capture_repo_context"; readonly context: RepoContext }
  | { readonly kind: "select_remote_context"; readonly remote: RemoteContext | null; readonly reason: string }
  | { readonly kind: "write_transfer_manifest"; readonly manifest: TransferManifest }
  | {
      readonly kind: "call_provider" | "reattach_call";
      readonly outcome: CallOutcome;
      readonly usage: Usage;
      readonly artifacts: readonly ArtifactRef[];
      readonly sandbox?: string;
    }
  | { readonly kind: "wait_for_provider" }
  | {
      readonly kind: "capture_patch";
      readonly patch: CapturedPatch | null;
      readonly keptRef: string | null;
      readonly invocation?: ArtifactRef;
    }
  | { readonly kind: "judge_patch"; readonly judgement: PatchJudgement }
  | { readonly kind: "apply_patch"; readonly integration: IntegrationReport }
  | {
      readonly kind: "apply_patch_blocked";
      readonly reason: "dirty_checkout" | "head_moved" | "failed";
      readonly message: string;
      readonly paths: readonly string[];
      readonly ofRuns?: readonly WorkInTheWay[];
    }
  | { readonly kind: "look_at_checkout"; readonly look: CheckoutState }
  | { readonly kind: "rebuild_candidate"; readonly onto: BaseState; readonly patch: CapturedPatch }
  | {
      readonly kind: "rebuild_candidate_conflict";
      readonly onto: BaseState;
      readonly tree: string;
      readonly paths: readonly string[];
      readonly message: string;
    }
  /** The user edited paths of the work: nothing was built. */
  | {
      readonly kind: "rebuild_candidate_blocked";
      readonly message: string;
      readonly paths: readonly string[];
      readonly ofRuns?: readonly WorkInTheWay[];
    }
  | { readonly kind: "capture_git_evidence"; readonly evidence: GitEvidence }
  | { readonly kind: "run_check"; readonly result: CheckEvidence }
  | { readonly kind: "run_blind_tests"; readonly tests: BlindTests }
  | { readonly kind: "keep_blind_tests"; readonly kept: KeptTests }
  | { readonly kind: "run_command"; readonly command: CommandRecord }
  /** The command is risky and was not allowed: it did not run. */
  | { readonly kind: "run_command_gated"; readonly class: string; readonly why: string }
  | { readonly kind: "retire_workspace"; readonly keptRefs: readonly string[]; readonly left?: string }
  | { readonly kind: "take_out_work"; readonly taken: UndoResult }
  | { readonly kind: "take_out_work_blocked"; readonly message: string; readonly paths: readonly string[] }
  /** A failure as data from any effect. */
  | {
      readonly kind: "effect_failed";
      readonly code: string;
      readonly message: string;
      readonly remedy: string | null;
    };
