// The ports of the effects to the rooms at the rim. They are handed in, so that this room touches no platform.
import type {
  AbortSignalLike,
  Artifacts,
  BaseState,
  BinaryTools,
  CaptureFlag,
  CheckControl,
  CheckEvidence,
  CheckPlan,
  CheckResult,
  CheckSpec,
  CommandOutcome,
  CommandRunner,
  CommandVerdict,
  PlacedWork,
  ProviderRegistry,
  RepositoryState,
  Sha256,
  UndoResult,
} from "../../../core/contract/index.ts";
import type { TreeReader } from "../../../core/patch/index.ts";

export interface EffectPorts {
  readonly artifacts: Artifacts;
  readonly providers: ProviderRegistry;
  readonly commands: CommandRunner;
  /** Classifies an argument vector before it may run (S-9). */
  /** `cwd` is the folder the command runs in, from the top of the checkout. */
  classify(argv: readonly string[], cwd: string): Promise<CommandVerdict>;
  readonly repository: RepositoryPort;
  readonly work: WorktreePort;
  readonly checks: ChecksPort;
  readonly sha256: Sha256;
  readonly binary: BinaryTools;
  readonly text: TextPort;
}

/** UTF-8 both ways. Bytes that are not UTF-8 become replacement characters; such a text is only shown. */
export interface TextPort {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
  /** Takes secrets out, by our rules and the user's. Bound: it may be handed to `map`. */
  readonly redact: (text: string) => string;
  /** The same, with how many were taken out. */
  readonly withoutSecrets: (text: string) => { readonly text: string; readonly taken: number };
}

interface RepositoryFinding {
  readonly severity: string;
  readonly path: string;
  readonly what: string;
}

interface ContextFile {
  readonly path: string;
  readonly bytes: number;
}

/** The user's checkout, for looking only. */
export interface RepositoryPort {
  /** The folder the run works on; the top of the work tree where there is one. */
  readonly top: string;
  /** Judged by reading files, before git may run. `safe` is false when git must not be run here. */
  inspect(): Promise<{ safe: boolean; findings: readonly RepositoryFinding[] }>;
  /** null outside a git repository. */
  state(signal: AbortSignalLike): Promise<RepositoryState | null>;
  /** Remembers the checkout and the files that steer git there. The returned function gives the paths that changed since.
   * null outside a git repository. */
  watch(): Promise<(() => Promise<readonly string[]>) | null>;
  /** The checkout against a commit, untracked files not included. */
  diffText(from: string, signal: AbortSignalLike): Promise<Uint8Array>;
  /** Files that may be shown: tracked, and untracked that are not ignored; no secrets by name, no dependency or build output. */
  files(): Promise<readonly ContextFile[]>;
  /** Text of such a file, or undefined when it is gone, too large, binary or no longer a plain file. */
  readText(path: string): Promise<string | undefined>;
  /** Texts of these files as a commit holds them; those that it does not hold as plain files are left out. */
  committed(
    commit: string,
    paths: readonly string[],
  ): Promise<readonly { readonly path: string; readonly text: string }[]>;
  /** Paths of recent commits, latest first. */
  recentPaths(): Promise<readonly string[]>;
}

interface OpenWorktree {
  readonly dir: string;
}

export interface CapturedWork {
  /** The tree of everything the worker left: commits, index, unstaged and untracked files. */
  readonly tree: string;
  /** From `fromTree` to `tree`. */
  readonly patch: Uint8Array;
  /** From the base commit to `tree`. */
  readonly full: Uint8Array;
  readonly changedPaths: readonly string[];
  readonly keptRef: string | null;
  readonly flags: readonly CaptureFlag[];
}

export type ApplyOutcome =
  | { readonly ok: true; readonly paths: readonly string[]; readonly alreadyApplied: boolean }
  /** Nothing was touched: the checkout holds another tree than the one that the work was verified on. */
  | { readonly ok: false; readonly reason: "moved"; readonly found: CheckoutFiles }
  | {
      readonly ok: false;
      readonly reason: "dirty_checkout" | "head_moved" | "failed";
      readonly message: string;
      readonly paths: readonly string[];
    };

/** The content of the checkout: tracked files and the paths of the work as one tree, and all files as another. */
export interface CheckoutFiles {
  readonly head: string | null;
  readonly tree: string;
  readonly whole: string;
  /** Paths that are not as expected. */
  readonly differing: readonly string[];
}

export type RebuildOutcome =
  | {
      readonly outcome: "rebuilt";
      readonly onto: BaseState;
      readonly tree: string;
      readonly patch: Uint8Array;
      readonly changedPaths: readonly string[];
      readonly keptRef: string;
    }
  | {
      readonly outcome: "conflict";
      readonly onto: BaseState;
      readonly tree: string;
      readonly paths: readonly string[];
      readonly message: string;
    }
  | { readonly outcome: "dirty"; readonly message: string; readonly paths: readonly string[] };

type TakeOutOutcome =
  | { readonly ok: true; readonly taken: UndoResult }
  | { readonly ok: false; readonly message: string; readonly paths: readonly string[] };

/** The worktree of a run, and the way of its work into the checkout. */
export interface WorktreePort {
  /** The run's one worktree, made at `baseCommit` when it does not exist yet. */
  open(runId: string, baseCommit: string, again: boolean): Promise<OpenWorktree>;
  /** A folder that holds exactly this tree, for reviewers of work that is not in the checkout yet. */
  reading(runId: string, tree: string): Promise<OpenWorktree>;
  /** The paths of such a folder that are not as the tree has them any more. */
  changedReading(runId: string, tree: string): Promise<readonly string[]>;
  capture(request: {
    readonly runId: string;
    readonly workspace: "worktree" | "direct";
    readonly baseCommit: string;
    readonly fromTree: string;
    readonly pass: number;
  }): Promise<CapturedWork>;
  /** Lays a diff that an answer carried over the worktree. */
  applyInWorktree(runId: string, patch: Uint8Array): Promise<{ ok: boolean; message: string }>;
  /** The git tree that a patch is meant for, as the patch judge reads it; `next` is the tree it makes. */
  treeReader(tree: string, next: string): Promise<TreeReader>;
  apply(request: {
    readonly runId: string;
    readonly patch: Uint8Array;
    readonly fromTree: string;
    readonly toTree: string;
    readonly approvedPaths: readonly string[];
    readonly baseCommit: string;
    /**
     * Only onto exactly `fromTree`, with all other files as in `whole`. Then nothing else is applied to the checkout until
     * `look` was called for this run, or a minute is over.
     */
    readonly exact: { readonly whole: string | null } | null;
    /** Asked right before the checkout is touched. */
    fence(commit: () => void): Promise<void>;
  }): Promise<ApplyOutcome>;
  look(request: {
    readonly runId: string;
    readonly expected: string;
    readonly paths: readonly string[];
    readonly since: string | null;
  }): Promise<CheckoutFiles>;
  /** The change from `base` to `tree`, built on what the checkout holds now. The worker's folder follows. */
  rebuild(request: {
    readonly runId: string;
    readonly base: BaseState;
    readonly tree: string;
    readonly paths: readonly string[];
  }): Promise<RebuildOutcome>;
  /** The work as it stands in the checkout, with the edits that the user made to its files, on everything else there. */
  takeAsItIs(request: { readonly runId: string; readonly placed: PlacedWork }): Promise<RebuildOutcome>;
  /** Brings the checkout to where it would be without the work. Refused where that would cost edits of the user. */
  takeOut(request: {
    readonly runId: string;
    readonly placed: PlacedWork;
    /** Asked right before the checkout is touched. */
    fence(commit: () => void): Promise<void>;
  }): Promise<TakeOutOutcome>;
  /** Pins the work, removes the run's folders, and gives the pins and the reason for a folder that had to stay. */
  retire(runId: string): Promise<{ readonly refs: readonly string[]; readonly left?: string }>;
  /** Remembers the files that steer git in the folder that a worktree shares with the checkout. */
  watchGitFolder(runId: string): Promise<void>;
  /**
   * Puts back the files there that the worker changed, and names them. `written`: all that it can have written; without
   * it, everything that changed since and starts a program counts as the worker's. A copy of each is kept.
   */
  restoreGitFolder(runId: string, written?: readonly string[]): Promise<readonly string[]>;
}

export interface ChecksPort {
  /** The checks that the tree names, beside those of the configuration. */
  discover(tree: string, configured: readonly CheckSpec[]): Promise<CheckPlan>;
  /** Programs and packages that checks need and this machine does not have. */
  missing(
    tree: string,
    checks: readonly CheckSpec[],
  ): Promise<
    readonly {
      readonly id: string;
      readonly command: string;
      readonly what: string;
      readonly remedy: string;
    }[]
  >;
  /** The same checks with the files of the tree that define them. */
  follow(tree: string, checks: readonly CheckSpec[]): Promise<CheckSpec[]>;
  /** Of these files, the ones that are tests of the tree, or that only its tests use. */
  usedByTests(tree: string, paths: readonly string[]): Promise<readonly string[]>;
  /** The tree judged by the base commit's rules. */
  guard(baseTree: string, tree: string, defines: (path: string) => boolean): Promise<string>;
  run(request: CheckRequest): Promise<{
    readonly result: CheckResult;
    readonly why: string;
    readonly testsRun: number | null;
    readonly silentFiles?: number | null;
    /** The numbers that its test runner reported over our own channel. */
    readonly report?: { readonly ran: number; readonly failed: number } | null;
    /** Changed files that it read; null where the system does not tell. */
    readonly read?: readonly string[] | null;
    /** With the making of the tree. */
    readonly tookMs: number;
    /** By name, against the base commit; given where a base tree was. */
    readonly missingTests?: readonly string[];
    readonly newlyFailing?: readonly string[];
    readonly command: CommandOutcome;
  }>;
  /** The result of a check that just ran on the base commit, for a later process; undefined where it says nothing. */
  kept(spec: CheckSpec, tree: string): Promise<string | undefined>;
  /** Takes up such a result of an earlier process, unless its surroundings were others. */
  recall(spec: CheckSpec, tree: string, kept: string): Promise<void>;
  /** Runs a check that passed again, where the changed source looks around or at the clock; undefined where it does not. */
  again(
    request: CheckRequest & {
      readonly baseTree: string;
      readonly tookMs: number;
      readonly comparable: boolean;
    },
  ): Promise<CheckEvidence["repeats"] | undefined>;
  /** New tests of the work that pass on the base commit as well. */
  idleTests(request: CheckRequest & { readonly baseTree: string }): Promise<readonly string[]>;
  /** Breaks the tree on purpose and looks whether the check notices; undefined where the result alone tells enough. */
  control(
    request: CheckRequest & {
      readonly baseTree: string;
      readonly asks: "both" | "still_says_no" | "reaches";
      readonly ran: { readonly durationMs: number; readonly testsRun: number | null };
    },
  ): Promise<CheckControl | undefined>;
}

interface CheckRequest {
  readonly runId: string;
  readonly spec: CheckSpec;
  readonly tree: string;
  /** The tree against which files count as changed: the ones of them that the check reads are told. */
  readonly changedSince?: string;
  /** The tree whose tests, by name, this one must have too. */
  readonly comparedWith?: string;
  /** Only for a command that a person let onto the network. */
  readonly network?: boolean;
  readonly signal: AbortSignalLike;
  readonly onOutput: (line: string) => void;
}
