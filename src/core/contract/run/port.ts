// The engine's ports beside the store: the performer of effects, and time.
import type { ActivityNews } from "../provider.ts";
import type { ArtifactRef } from "../artifact.ts";
import type { CallOutcome, Effect, EffectOutcome } from "./effect.ts";
import type { PostedRecord, Usage } from "./call.ts";
import type { RunCreated } from "./event.ts";

/** Effects that touch the world outside the store. `write_directive` is the engine's own. */
export type OutsideEffect = Exclude<Effect, { kind: "write_directive" }>;

export interface EffectContext {
  readonly runId: string;
  /** The facts that the run froze when it was created. */
  readonly created: RunCreated;
  /** Fires when the run is aborted, the lease is lost or the process is asked to stop. */
  readonly signal: AbortSignal;
  /**
   * The first append of a call. Resolves when it is durable; only then may anything be sent. Rejects when this
   * process may no longer act: then nothing may be sent.
   */
  posted(record: PostedRecord): Promise<void>;
  /** The first append of a command that may change something; as with `posted`, it may start only once this resolved. */
  began(): Promise<void>;
  /**
   * Asked right before the world is changed: does `commit` only while the run awaits this effect and this process holds
   * the run, and rejects otherwise. `commit` may be done twice.
   */
  fence(commit?: () => void): Promise<void>;
  /** One line about the present work, for a person who watches. Not recorded. */
  progress(line: string): void;
  /** News about the present work, for people and programs that look on. Not recorded. */
  activity?(news: ActivityNews): void;
}

/**
 * Performs one effect and gives its outcome. It decides nothing and writes no run state. A `FailureError` becomes
 * `effect_failed`; anything else that is thrown is a fault and stops the engine. Every effect but a posted call and a command that was begun may be
 * performed again after a crash and must then give the same result or a fresh one.
 */
export type PerformEffect = (effect: OutsideEffect, context: EffectContext) => Promise<EffectOutcome>;

export interface CallReport {
  readonly outcome: CallOutcome;
  readonly usage: Usage;
  readonly artifacts: readonly ArtifactRef[];
  /** The confinement of the agent program, where one was started. */
  readonly sandbox?: string;
}

/** Timers, handed in: the engine room knows no platform. */
export interface Timers {
  /** Calls back every `ms` until the returned function is called. */
  every(ms: number, callback: () => void): () => void;
  /** Resolves after `ms`, or at once when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
