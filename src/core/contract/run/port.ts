// The engine's ports other than the store: the performer of effects, and timers.
import type { ActivityNews } from "../provider.ts";
import type { ArtifactRef } from "../artifact.ts";
import type { CallOutcome, Effect, EffectOutcome } from "./effect.ts";
import type { PostedRecord, Usage } from "./call.ts";
import type { RunCreated } from "./event.ts";

/** Effects outside the store. The engine performs `write_directive` itself. */
export type OutsideEffect = Exclude<Effect, { kind: "write_directive" }>;

export interface EffectContext {
  readonly runId: string;
  /** The first event, with the frozen settings of the run. */
  readonly created: RunCreated;
  /** Fires when the run is aborted, the lease is lost or the process must stop. */
  readonly signal: AbortSignal;
  /**
   * The first append of a call. Resolves when it is durable; only then may anything be sent. Rejects when this
   * process may no longer act: then nothing may be sent.
   */
  posted(record: PostedRecord): Promise<void>;
  /** The first append of a command with side effects; as with `posted`, the command may start only after this resolved. */
  began(): Promise<void>;
  /**
   * Called right before a change outside the store: runs `commit` only while the run awaits this effect and this process
   * holds the lease, and rejects otherwise. `commit` may run twice.
   */
  fence(commit?: () => void): Promise<void>;
  /** One line about the current work, for display. Not recorded. */
  progress(line: string): void;
  /** Updates about the current work, for surfaces that watch the run. Not recorded. */
  activity?(news: ActivityNews): void;
}

/**
 * Performs one effect and returns its outcome. It decides nothing and writes no run state. A `FailureError` becomes
 * `effect_failed`; any other error is a bug and stops the engine. Every effect except a posted call and a started command
 * may be repeated after a crash and must then return the same result or a new one.
 */
export type PerformEffect = (effect: OutsideEffect, context: EffectContext) => Promise<EffectOutcome>;

export interface CallReport {
  readonly outcome: CallOutcome;
  readonly usage: Usage;
  readonly artifacts: readonly ArtifactRef[];
  /** The confinement of the agent program, where one was started. */
  readonly sandbox?: string;
}

/** Timers, injected because the engine must not use the platform. */
export interface Timers {
  /** Calls back every `ms` until the returned function is called. */
  every(ms: number, callback: () => void): () => void;
  /** Resolves after `ms`, or at once when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
