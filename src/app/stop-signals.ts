// How both programs stop: the first signal aborts what runs, the second ends the process at once.
import process from "node:process";

/** The exit code of a program that a signal ended. */
export const signalExit: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

export function stopOnSignals(): AbortController {
  const stop = new AbortController();
  for (const [signal, code] of Object.entries(signalExit))
    process.on(signal, () => {
      if (!stop.signal.aborted) stop.abort(new Error(signal));
      // A request of `oracle` in this process writes its result when an error is not caught, and then exits.
      else if (process.listenerCount("uncaughtException") > 0) throw new Error(signal);
      else process.exit(code);
    });
  return stop;
}
