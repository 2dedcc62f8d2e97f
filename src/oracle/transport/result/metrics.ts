// metrics.json: the time of each stage, and the amount of data.
import type { RunResult, TokenUsage } from "../../../core/contract/transport/index.ts";

export interface AttemptMetrics {
  readonly promptChars: number;
  readonly responseChars: number;
  readonly elapsedMs: number;
  readonly complete: boolean;
  readonly usage: TokenUsage | null;
}

export interface SessionMetrics {
  readonly schemaVersion: 1;
  readonly sessionId: string | null;
  readonly status: RunResult["status"];
  readonly startedAt: string;
  readonly endedAt: string;
  readonly elapsedMs: number;
  /** Milliseconds spent in each stage, in the order they were entered. */
  readonly stages: Readonly<Record<string, number>>;
  readonly attempts: readonly AttemptMetrics[];
  readonly bundle: {
    readonly files: number;
    readonly bytes: number;
    readonly estimatedTokens: number;
  } | null;
  readonly usage: TokenUsage | null;
}

/** The sum over several turns; null for a count that no provider reported. */
export function sumUsage(parts: readonly (TokenUsage | null)[]): TokenUsage | null {
  const known = parts.filter((part) => part !== null);
  if (known.length === 0) return null;
  const sum = (pick: (usage: TokenUsage) => number | null) => {
    const counts = known.map(pick).filter((count) => count !== null);
    return counts.length === 0 ? null : counts.reduce((total, count) => total + count, 0);
  };
  const costs = known.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    ...(costs.length === known.length ? { costUsd: costs.reduce((total, cost) => total + cost, 0) } : {}),
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    reasoningTokens: sum((usage) => usage.reasoningTokens),
    totalTokens: sum((usage) => usage.totalTokens),
  };
}

/** A stopwatch over named stages. */
export class Stages {
  readonly #now: () => number;
  readonly #spent: Record<string, number> = {};
  #name: string | null = null;
  #since = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  enter(name: string): void {
    this.#leave();
    this.#name = name;
    this.#since = this.#now();
  }

  end(): Record<string, number> {
    this.#leave();
    this.#name = null;
    return { ...this.#spent };
  }

  #leave(): void {
    if (this.#name === null) return;
    this.#spent[this.#name] = (this.#spent[this.#name] ?? 0) + Math.max(0, this.#now() - this.#since);
  }
}
