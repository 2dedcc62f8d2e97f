// The ports of a run: engines, git, bundles, secrets, time. The run decides; these act.
import type { TreeReader } from "../../core/patch/index.ts";
import type { LeaseOwner } from "../../core/contract/index.ts";
import type {
  TransportEngine,
  EngineKind,
  PreviewFile,
  RunRequest,
  SessionShelf,
} from "../../core/contract/transport/index.ts";

export type GitStep =
  | {
      readonly ok: true;
      readonly warnings: readonly string[];
      /** The tree held the patch before. */
      readonly unchanged?: boolean;
    }
  | {
      readonly ok: false;
      /** One of the closed set of reasons. */
      readonly reason: string;
      /** git's own message where git refused, else ours. */
      readonly error: string;
      /** Another patch could do better; false where a person is needed. */
      readonly retry: boolean;
      /** The path that a person can allow. */
      readonly approvalPath?: string;
    };

/** A work tree that was checked before anything was sent. */
export interface GitPlan {
  readonly root: string;
  readonly version: string;
  /** The branch that is checked out now; null on a detached HEAD. */
  branch(): Promise<string | null>;
  /** The files of the work tree. */
  tree(): TreeReader;
  /** The patch with the line ends of the files it changes. */
  fit(patch: Uint8Array): Promise<Uint8Array>;
  check(patch: Uint8Array, signal: AbortSignal): Promise<GitStep>;
  apply(patch: Uint8Array, signal: AbortSignal): Promise<GitStep>;
  /** Commits what `apply` changed. */
  commit(signal: AbortSignal): Promise<GitStep & { readonly sha?: string }>;
  push(signal: AbortSignal): Promise<GitStep>;
}

export interface GitDoor {
  /** Fails with the reason why the tree cannot be used; null when the mode needs no git. */
  preflight(request: RunRequest, keepOut: readonly string[]): Promise<GitPlan | null>;
}

export interface BundleReport {
  readonly format: "text" | "zip";
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly excluded: readonly { readonly path: string; readonly reason: string }[];
  /** Labels of secrets that were found in files, each once. */
  readonly secretLabels: readonly string[];
  readonly estimatedTokens: number;
}

export interface PreparedBundle {
  readonly report: BundleReport;
  readonly files: readonly PreviewFile[];
  /** Patterns of the user without any file in the bundle. */
  readonly missed: readonly {
    readonly given: string;
    /** A glob that matched files, none of which can be sent. */
    readonly glob: boolean;
    readonly reason: string;
  }[];
  /** The content of manifest.json. */
  manifest(): unknown;
  /** The files as one text; null for a ZIP or when there are no files. */
  text(): Promise<string | null>;
  /** Writes the ZIP. */
  zip(path: string): Promise<{ readonly bytes: number }>;
}

export interface OracleRunDeps {
  readonly home: string;
  /** The store of sessions that several machines share; undefined where each machine has only its own. */
  readonly shelf?: (() => Promise<SessionShelf>) | undefined;
  readonly now: () => number;
  readonly owner: () => LeaseOwner;
  engine(kind: EngineKind): Promise<TransportEngine>;
  readonly git: GitDoor;
  bundle(request: RunRequest, signal?: AbortSignal): Promise<PreparedBundle>;
  /** Text with secrets replaced, and the labels of what was found, each once. */
  redact(text: string): { readonly text: string; readonly labels: readonly string[] };
  /** How many secrets a text holds. */
  countSecrets(text: string): number;
  /** Shows a notice on the user's desktop: undefined, or why it was not shown. Absent where there is no desktop. */
  notify?(notice: { readonly title: string; readonly text: string }): Promise<string | undefined>;
  /** Whether an agent or a check of a run started this process: then it repeats no approval of a person. */
  startedByRun(): boolean;
}
