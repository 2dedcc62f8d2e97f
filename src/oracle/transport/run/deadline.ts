// The clock of a run: its deadline with one signal for every wait, the wait for an engine that does not stop, and the
// heartbeat in session.json and on the terminal.
import { FailureError } from "../../../core/contract/index.ts";
import type { ResultStatus, RunError, RunRequest } from "../../../core/contract/transport/index.ts";
import type { LiveRecord } from "../sessions/record.ts";

const graceMs = 3_000;

/** Waits for an engine; gives up 3 s after the signal. */
export function withDeadlineAfterAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      const message = "The engine did not stop within 3 s of the signal.";
      timer = setTimeout(() => reject(new FailureError({ code: "interrupted", message })), graceMs);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    });
  });
}

const recordEveryMs = 10_000;

interface PulseInput {
  readonly live: LiveRecord;
  readonly request: RunRequest;
  readonly now: () => number;
  readonly log: (line: string) => void;
  readonly charsSoFar: () => number;
}

/** Returns the function that ends it. */
export function startPulse({ live, request, now, log, charsSoFar }: PulseInput): () => void {
  const started = now();
  let reported = false;
  const record = setInterval(() => {
    try {
      live.update({ heartbeatAt: new Date(now()).toISOString() });
    } catch (error) {
      // The run continues without a heartbeat; readers still see that its process lives.
      if (!reported) log(`session.json cannot be written: ${error instanceof Error ? error.message : String(error)}`);
      reported = true;
    }
  }, recordEveryMs);
  const progress =
    request.heartbeatMs === 0
      ? undefined
      : setInterval(() => {
          const seconds = Math.round((now() - started) / 1000);
          log(`${live.current.stage}: ${seconds} s, ${charsSoFar()} characters so far`);
        }, request.heartbeatMs);
  return () => {
    clearInterval(record);
    clearInterval(progress);
  };
}

type StopCause = "timeout" | "interrupted";

export class RunDeadline {
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #timeoutMs: number;
  readonly #outer: AbortSignal;
  #cause: StopCause | null = null;

  constructor(timeoutMs: number, outer: AbortSignal) {
    this.#timeoutMs = timeoutMs;
    this.#outer = outer;
    this.#timer = setTimeout(() => this.#stop("timeout"), timeoutMs);
    if (outer.aborted) this.#stop("interrupted");
    else outer.addEventListener("abort", this.#onOuter, { once: true });
  }

  readonly #onOuter = () => this.#stop("interrupted");

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get cause(): StopCause | null {
    return this.#cause;
  }

  #stop(cause: StopCause): void {
    this.#cause ??= cause;
    this.#abort.abort();
  }

  /** Fails when the run was stopped. */
  check(): void {
    if (this.#cause !== null) throw new FailureError({ code: "interrupted", message: "stopped" });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#onOuter);
  }

  /** The status and error of a run that was stopped; null when it was not. */
  verdict(id: string): { status: ResultStatus; error: RunError } | null {
    if (this.#cause === "timeout")
      return {
        status: "timeout",
        error: {
          code: "timeout",
          message: `There was no finished answer within ${Math.round(this.#timeoutMs / 100) / 10} s.`,
          remedy: `Allow more time: oracle restart ${id} --timeout 2h`,
        },
      };
    if (this.#cause === "interrupted")
      return {
        status: "error",
        error: {
          code: "interrupted",
          message: "The run was cancelled.",
          remedy: `Start it again with: oracle restart ${id}`,
        },
      };
    return null;
  }
}
