// Why a run stops before its end: its time is up, or somebody said so. One signal for every wait in it.
import { FailureError } from "../../../core/contract/index.ts";
import type { ResultStatus, RunError } from "../../../core/contract/transport/index.ts";

export type StopCause = "timeout" | "interrupted";

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

  /** Ends a step that may not begin any more. */
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
