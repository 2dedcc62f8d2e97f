// The runs of one repository, as operations ask for them. Every method is asynchronous, so that a store elsewhere can
// stand behind it. Reading is cheap; the engine is loaded when a run is to move.
import type {
  Activity,
  Actor,
  ArtifactRef,
  CiResult,
  CommitVerdict,
  Gate,
  LeaseOwner,
  ResolvedAssignment,
  RunEvent,
  RunRow,
  StoredEvent,
  UserCommand,
  VerifyReport,
  ApprovalMode,
  IntegrationOrder,
  Role,
  RunMode,
} from "../../core/contract/index.ts";
import type { RunWait } from "./fleet.ts";
import type { CompactStatus, FullView } from "../../core/machine/view/index.ts";
import type { ChecksReport, TestedCheck, TestOptions } from "./repo.ts";

export interface LoopEnd {
  readonly runId: string;
  readonly stop: "terminal" | "approval_required" | "no_progress" | "max_cycles" | "interrupted";
  readonly status: CompactStatus;
}

/** Hears of a run while it moves: events as they become durable, and lines that are not recorded. */
export interface Watcher {
  /** The status is computed when it is asked for, from the run in memory. */
  event?(stored: StoredEvent<RunEvent>, status: () => CompactStatus): void;
  progress?(line: string): void;
  /** The present work of each agent and check, a few times a second at most. */
  activity?(activities: readonly Activity[]): void;
  /** A line about the record or the commit that a person must not miss. */
  note?(line: string): void;
}

export interface LoopOptions {
  readonly maxCycles?: number | undefined;
  /** Steps of the run in one cycle. */
  readonly maxSteps?: number | undefined;
  readonly signal: AbortSignal;
  readonly watcher?: Watcher | undefined;
  /** How long to wait for another process that advances it. */
  readonly waitMs?: number | undefined;
  /** Only what was asked beside the loop; the run does not advance. */
  readonly besideOnly?: boolean | undefined;
}

export interface PinnedWorkRow {
  readonly ref: string;
  readonly runId: string;
  /** The files of the work; empty for a folder. */
  readonly tree: string;
  readonly at: number;
  readonly subject: string;
}

export interface RowQuery {
  /** A store gives at most a thousand at once. */
  readonly limit?: number;
  readonly state?: string;
  /** Only rows behind this one. */
  readonly before?: { readonly updatedAt: number; readonly runId: string };
}

export interface ArtifactSlice {
  readonly bytes: Uint8Array;
  readonly total: number;
  readonly ref: string;
  readonly kind: string;
  readonly mediaType: string;
}

export interface RetireOptions {
  readonly runIds: readonly string[];
  readonly olderThanDays?: number | undefined;
  /** Each run is written to a file first. */
  readonly archive: boolean;
  /** The folder for the files. */
  readonly folder?: string | undefined;
}

export interface RemovedRuns {
  readonly runs: readonly string[];
  readonly files: readonly string[];
  readonly artifacts: number;
  readonly freedBytes: number;
}

/** The branch of a pull request, as its forge tells it. */
export interface BranchTip {
  readonly branch: string;
  readonly head: string;
  /** The user takes it also where no evidence of theirs is bound to its tip. */
  readonly anyBranch: boolean;
}

/** What is known here about the branch of a pull request, which was fetched. */
export interface RequestBase {
  /** It is the branch of this checkout. */
  readonly checkedOut: boolean;
  /** The run of this repository that made it, with what is left of its budget; null for no limit. */
  readonly made: {
    readonly runId: string;
    readonly left: {
      readonly answers: number;
      readonly tokens: number | null;
      readonly usd: number | null;
      readonly minutes: number | null;
    };
  } | null;
}

/** Bytes of a diff, with the place where it is kept. */
export interface PinnedChange {
  readonly ref: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** The commit of a run, and the branch of a remote that it is to be pushed to. */
export interface Proposal {
  readonly commit: string;
  readonly branch: string;
  readonly remote: string;
  readonly url: string;
  /** The repository of the pull request, where it is another one than that of the branch: a fork is pushed to. */
  readonly into: string | null;
  /** `gh` or `glab`; null for a host of neither kind, where the branch is pushed and the text is written to a file. */
  readonly program: string | null;
  readonly title: string;
  readonly body: string;
  /** The commits that the branch has and the remote's branches, as they were last fetched, do not; newest first. */
  readonly commits: readonly string[];
}

export interface ProposedRequest {
  /** Null for a host of neither kind. */
  readonly url: string | null;
  readonly created: boolean;
  readonly bodyFile: string;
}

export interface RepositoryRuns extends AsyncDisposable {
  /** The top folder of the repository. */
  readonly repo: string;
  /** A run by its id or a unique beginning of it; the newest one without. */
  find(id?: string): Promise<string>;
  rows(query?: RowQuery): Promise<readonly RunRow[]>;
  count(): Promise<number>;
  status(runId: string): Promise<CompactStatus>;
  full(runId: string): Promise<FullView>;
  gates(runId: string): Promise<readonly Gate[]>;
  /** The final report as data and as text, once it is written. */
  report(runId: string): Promise<{ readonly report: ArtifactRef; readonly markdown: ArtifactRef } | null>;
  /** The report of a run that ended without writing one, derived from its log; null while it has not ended. */
  endReport(runId: string): Promise<{ readonly report: string; readonly markdown: string } | null>;
  events(runId: string, from?: number): Promise<readonly StoredEvent<RunEvent>[]>;
  artifact(
    runId: string,
    ref: string,
    range?: { readonly offset?: number | undefined; readonly max?: number | undefined },
  ): Promise<ArtifactSlice>;
  /** The change from one captured tree to another. */
  between(from: string, to: string): Promise<Uint8Array>;
  /** The work of the run that was pinned last, as the change from its base. */
  lastKept(runId: string): Promise<PinnedChange | undefined>;
  verify(runId?: string): Promise<VerifyReport>;
  /** Commits the work of a completed run, with signed evidence about it. */
  /** Refuses a name that is no branch, or one that exists. */
  checkBranch(name: string): Promise<void>;
  commit(runId: string, branch?: string): Promise<{ readonly commit: string }>;
  /** Whether the commit of the run is under HEAD. */
  isCommitted(runId: string): Promise<boolean>;
  /** What a pull request of the run's commit would push, and where. Nothing is sent. */
  /** The remote that work would be pushed to; null where there is none. */
  destination(): Promise<{ readonly remote: string; readonly url: string; readonly into?: string } | null>;
  proposal(runId: string): Promise<Proposal>;
  /** Pushes the commit with its evidence and opens a draft; a request that is open already is found again. */
  propose(runId: string, proposal: Proposal, by: Actor): Promise<ProposedRequest>;
  /** Records what CI says about the commit of the run, with the logs of what failed; the same news twice is recorded once. */
  recordCi(
    runId: string,
    ci: Omit<CiResult, "logs">,
    logs: readonly { readonly name: string; readonly text: string }[],
    by: Actor,
  ): Promise<void>;
  /** Fetches the branch of a pull request, and refuses one that is not of this user's runs. */
  requestBase(tip: BranchTip): Promise<RequestBase>;
  /** A signature of a person over a text, with their own SSH key. */
  signWithSsh(text: string, keyFile: string): Promise<string>;
  /** Each commit against the evidence about it; by the keys in `keys` (PEM), or by the user's own. */
  verifyCommits(range: string, keys?: string, signers?: string): Promise<readonly CommitVerdict[]>;
  /** Takes runs that are over out of the store; kept work stays (see `kept`). */
  retire(options: RetireOptions): Promise<RemovedRuns>;
  verifyArchive(archive: Uint8Array, keys?: string): Promise<VerifyReport>;
  /** Signs the logs as they stand, and that missing runs are gone. Tells the runs that were signed anew. */
  accept(): Promise<readonly string[]>;
  /** The process that advances it now. */
  holder(runId: string): Promise<LeaseOwner | null>;
  /** Those of these runs that workers of the shared store advance: without a holder they wait for one. */
  waits(runIds: readonly string[]): Promise<ReadonlyMap<string, RunWait>>;
  /** The last lines that its check or agent wrote and the present work of each, while one is at work on this machine. */
  live(runId: string): Promise<{
    readonly lines: readonly string[];
    readonly activities: readonly Activity[];
  }>;
  /** Whether nothing is due: it is over, or waits for a person. */
  idle(runId: string): Promise<boolean>;

  /** Without `by` a person at the command line asks. A program can tighten the user's policy, never loosen it. */
  start(request: StartRun, by?: Actor): Promise<string>;
  submit(runId: string, command: UserCommand): Promise<void>;
  /** Advances the run in this process. */
  loop(runId: string, options: LoopOptions): Promise<LoopEnd>;
  /** Events from `from` on as they come, until the run ends or the signal fires. */
  watch(runId: string, from: number, signal: AbortSignal): AsyncIterable<StoredEvent<RunEvent>>;
  /** `provider:model` resolved to the agent that really answers. */
  resolve(assignment: string, source: "run" | "repo" | "user" | "default"): Promise<ResolvedAssignment>;

  /** The checks that a run would use here. Nothing is run. */
  checks(): Promise<ChecksReport>;
  /** The checks on the last commit, run in the sandbox and outside of any run. */
  testChecks(options: TestOptions): Promise<readonly TestedCheck[]>;

  kept(): Promise<readonly PinnedWorkRow[]>;
  drop(refs: readonly string[]): Promise<readonly string[]>;
  /** Removes worktrees of runs that are over or unknown; their work is pinned first. Tells what is gone and what stays. */
  sweep(): Promise<{
    readonly removed: readonly string[];
    readonly left: readonly { readonly path: string; readonly reason: string }[];
  }>;
  /** Removes what no record names, by the user's policy on age and size. */
  prune(tell: (line: string) => void): Promise<PrunedLeftovers>;
}

interface RemovedFiles {
  readonly count: number;
  readonly bytes: number;
}

export interface PrunedLeftovers {
  /** Trees in which checks ran. */
  readonly scratch: RemovedFiles;
  /** Artifacts that no event mentions. */
  readonly artifacts: RemovedFiles;
}

export interface StartRun {
  readonly goal: string;
  readonly mode: RunMode;
  readonly roles: Readonly<Partial<Record<Exclude<Role, "integrator">, string>>>;
  /** A ready-made team; roles named beside it go first. */
  readonly team?: string | undefined;
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  /** Shell lines; they replace the checks that would be found in the project. */
  readonly checks: readonly string[];
  /** The user waives validation for this run. */
  readonly noChecks: boolean;
  /** Checks that may stand as they are, named by their command. A check that this work breaks is never waived. */
  readonly waive: readonly string[];
  /** Files that only look like tests. */
  readonly productPaths: readonly string[];
  /** Of the checks that the project defines only those in this folder count. */
  readonly checksBelow?: string | undefined;
  readonly allowedPaths: readonly string[];
  readonly disallowedPaths: readonly string[];
  readonly approvals?: ApprovalMode | undefined;
  /** `late` verifies work before it touches the checkout, `early` after. */
  readonly integrate?: IntegrationOrder | undefined;
  /** Another agent writes tests for the goal without seeing the work. */
  readonly careful?: boolean | undefined;
  readonly maxIterations?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxMinutes?: number | undefined;
  readonly maxUsd?: number | undefined;
  /** The work is committed when the run completes, with signed evidence. */
  readonly commit?: boolean | undefined;
  /** The verified work becomes a commit on this new branch instead; the checkout is not touched. */
  readonly toBranch?: string | undefined;
  /** Texts of others that the run begins with, without secrets; each name is one line. */
  readonly quoted?: readonly { readonly name: string; readonly text: string }[] | undefined;
  readonly quotedWarnings?: readonly string[] | undefined;
  readonly follows?: { readonly runId: string; readonly how: "after" | "again" | "revision" } | undefined;
  /** One of several attempts at the same goal; `group` is the first of them. */
  readonly attempt?: { readonly number: number; readonly of: number; readonly group?: string | undefined } | undefined;
  /** `toBranch` exists, and this commit is at its tip: the work begins there and is committed after it. */
  readonly continuesAt?: string | undefined;
  /** The branch is pushed and a draft pull request is opened when the run completes, once a person approved the result. */
  readonly pullRequest?: boolean | undefined;
  /** The script of the stub, as JSON. */
  readonly stubScript?: unknown;
  readonly preferredRole?: Exclude<Role, "integrator" | "implementer"> | undefined;
}
