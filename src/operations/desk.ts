// The desk of one repository: everything operations ask about its runs. Reading is cheap; the engine is loaded for work.
import type {
  Actor,
  ArtifactRef,
  Gate,
  LeaseOwner,
  RunEvent,
  RunRow,
  StoredEvent,
  UserCommand,
  VerifyReport,
} from "../contract/index.ts";
import type { CompactStatus, FullView } from "../machine/view/index.ts";
import type { StartRun } from "./runs/start.ts";

export interface LoopEnd {
  readonly runId: string;
  readonly stop: "terminal" | "approval_required" | "no_progress" | "max_cycles" | "interrupted";
  readonly status: CompactStatus;
}

/** What is told while a run moves: events as they become durable, and lines that are not recorded. */
export interface Watcher {
  /** The status is worked out for those who ask. */
  event?(stored: StoredEvent<RunEvent>, status: () => CompactStatus): void;
  progress?(line: string): void;
}

export interface KeptWork {
  readonly ref: string;
  readonly runId: string;
  readonly commit: string;
  readonly at: number;
  readonly subject: string;
}

/** The list of runs alone: what `status` and `runs` need, and nothing that takes time to load. */
export interface RunList extends Disposable {
  rows(query?: { limit?: number; state?: string }): readonly RunRow[];
  count(): number;
  /** Whether a process is at work on it. */
  held(runId: string): boolean;
}

export interface RunDesk extends AsyncDisposable {
  readonly repo: string;
  /** A run by its id or a unique beginning of it; the newest one without. */
  find(id?: string): string;
  rows(query?: { limit?: number; state?: string }): readonly RunRow[];
  count(): number;
  status(runId: string): CompactStatus;
  full(runId: string): FullView;
  gates(runId: string): readonly Gate[];
  /** The final report as data and as text, once it is written. */
  report(runId: string): { readonly report: ArtifactRef; readonly markdown: ArtifactRef } | null;
  events(runId: string, from?: number): readonly StoredEvent<RunEvent>[];
  artifact(
    runId: string,
    ref: string,
    range?: { offset?: number | undefined; max?: number | undefined },
  ): { bytes: Uint8Array; total: number; ref: string; kind: string; mediaType: string };
  verify(runId?: string): VerifyReport;
  /** The process that advances it now. */
  holder(runId: string): LeaseOwner | null;
  /** Whether nothing is due: it is over, or waits for somebody. */
  idle(runId: string): boolean;

  /** `by` is who asks, a person at the command line without; a program can tighten the user's policy, never loosen it. */
  start(request: StartRun, by?: Actor): Promise<string>;
  submit(runId: string, command: UserCommand): Promise<void>;
  loop(
    runId: string,
    options: {
      maxCycles?: number | undefined;
      signal: AbortSignal;
      watcher?: Watcher;
      /** How long to wait for another process that advances it. */
      waitMs?: number | undefined;
      /** Only what was asked beside the loop; the run stays where it stands. */
      besideOnly?: boolean | undefined;
    },
  ): Promise<LoopEnd>;
  /** Events from `from` on as they come, until the run ends or the signal fires. */
  watch(runId: string, from: number, signal: AbortSignal): AsyncIterable<StoredEvent<RunEvent>>;
  /** `provider:model` resolved to who really answers. */
  resolve(
    assignment: string,
    source: "run" | "repo" | "user" | "default",
  ): Promise<import("../contract/index.ts").ResolvedAssignment>;

  kept(): Promise<readonly KeptWork[]>;
  drop(refs: readonly string[]): Promise<readonly string[]>;
  /** Removes worktrees of runs that are over or unknown; what they hold is pinned first. Tells what is gone and what stays. */
  sweep(): Promise<{
    readonly removed: readonly string[];
    readonly left: readonly { readonly path: string; readonly reason: string }[];
  }>;
}
