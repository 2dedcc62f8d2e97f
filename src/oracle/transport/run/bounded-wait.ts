// Waits for a foreign part no longer than a run may last: one that does not listen is left behind.
import { fail } from "../../../core/contract/index.ts";

const grace = 3_000;

/** Gives the part a moment to end in order after the signal, then goes on without it. */
export function withDeadlineAfterAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      timer = setTimeout(() => {
        try {
          fail("interrupted", "The engine did not stop when it was told to.");
        } catch (error) {
          reject(error as Error);
        }
      }, grace);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    });
  });
}
