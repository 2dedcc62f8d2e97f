// The result of a run while it is built. It is complete enough to be written at any moment.
import { diskFailure } from "../../../core/contract/index.ts";
import type { Answer, RunRequest, RunResult } from "../../../core/contract/transport/index.ts";
import { blankResult } from "../../../core/contract/transport/index.ts";
import { type FinishedSteps, madeKeys } from "../../../core/contract/transport/schema/index.ts";
import { tokenCost } from "../options/models.ts";
import type { SessionFolder } from "../sessions/folder.ts";
import { type AttemptMetrics, type SessionMetrics, Stages, sumUsage } from "./metrics.ts";
import type { BundleReport } from "../ports.ts";

export class ResultBuilder {
  readonly #started: number;
  readonly #now: () => number;
  readonly stages: Stages;
  readonly attempts: AttemptMetrics[] = [];
  bundle: BundleReport | null = null;
  /** The last answer, whether or not it could be stored. */
  answer: string | null = null;
  readonly #request: RunRequest;
  readonly #onMade: (made: FinishedSteps) => void;
  #result: RunResult;

  constructor(
    request: RunRequest,
    folder: SessionFolder | null,
    now: () => number,
    onMade: (made: FinishedSteps) => void = () => undefined,
  ) {
    this.#onMade = onMade;
    this.#now = now;
    this.#request = request;
    this.#started = now();
    this.stages = new Stages(now);
    this.#result = blankResult({
      sessionId: folder?.id ?? null,
      engine: request.engine,
      model: request.model,
      applyMode: request.git.applyMode,
      promptChars: request.prompt.length,
    });
  }

  get result(): RunResult {
    return this.#result;
  }

  set(change: Partial<RunResult>): void {
    const before = this.#result;
    this.#result = { ...before, ...change };
    if (madeKeys.some((key) => this.#result[key] !== before[key])) this.#onMade(this.#made());
  }

  #made(): FinishedSteps {
    return Object.fromEntries(madeKeys.map((key) => [key, this.#result[key]])) as FinishedSteps;
  }

  warn(text: string): void {
    this.set({ warnings: [...this.#result.warnings, text] });
  }

  /** A failure keeps its code and remedy; any other error is reported as a bug of oracle. */
  fail(error: unknown): void {
    const failure = diskFailure(error)?.failure ?? {
      code: "internal_error",
      message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      remedy: "This is a bug in oracle; its stack is in output.log.",
    };
    const { code, message, remedy } = failure;
    this.set({
      status: code === "timeout" ? "timeout" : "error",
      error: { code, message, remedy: remedy ?? null },
    });
  }

  answered(answer: Answer, sentAt: number, promptChars: number): void {
    this.answer = answer.text;
    this.attempts.push({
      promptChars,
      responseChars: answer.text.length,
      elapsedMs: Math.max(0, this.#now() - sentAt),
      complete: answer.complete,
      usage: answer.usage,
    });
    this.set({
      responseChars: answer.text.length,
      captureSource: answer.captureSource,
      snapshots: [...this.#result.snapshots, ...answer.snapshots],
      files: [...this.#result.files, ...(answer.files ?? [])],
      model: answer.model ?? this.#result.model,
      ...this.#spent(),
    });
  }

  #spent(): Pick<RunResult, "usage" | "costUsd"> {
    const total = sumUsage(this.attempts.map(({ usage }) => usage));
    const costUsd = tokenCost(this.#request, total);
    if (total === null) return { usage: null, costUsd };
    const { costUsd: _told, ...usage } = total;
    return { usage, costUsd };
  }

  /** Messages of git and of servers may contain a URL with a token. */
  #cleaned(redact: (text: string) => string): void {
    const { gitApplyError, approvalPath, gitCommitError, gitPushError, error } = this.#result;
    this.set({
      gitApplyError: gitApplyError && redact(gitApplyError),
      approvalPath: approvalPath && redact(approvalPath),
      gitCommitError: gitCommitError && redact(gitCommitError),
      gitPushError: gitPushError && redact(gitPushError),
      error: error && { ...error, message: redact(error.message) },
    });
  }

  close(redact: (text: string) => string): { result: RunResult; metrics: SessionMetrics } {
    this.#cleaned(redact);
    const ended = this.#now();
    this.set({ elapsedMs: Math.max(0, ended - this.#started) });
    const { sessionId, status, usage, elapsedMs } = this.#result;
    const bundle = this.bundle && {
      files: this.bundle.fileCount,
      bytes: this.bundle.totalBytes,
      estimatedTokens: this.bundle.estimatedTokens,
    };
    return {
      result: this.#result,
      metrics: {
        schemaVersion: 1,
        sessionId,
        status,
        startedAt: new Date(this.#started).toISOString(),
        endedAt: new Date(ended).toISOString(),
        elapsedMs,
        stages: this.stages.end(),
        attempts: this.attempts,
        bundle,
        usage,
      },
    };
  }
}
