// Signs of life while a run waits: in session.json for other programs, in the log for people.
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import type { LiveRecord } from "../sessions/record.ts";

const recordEvery = 10_000;

export interface PulseInput {
  readonly live: LiveRecord;
  readonly request: RunRequest;
  readonly now: () => number;
  readonly log: (line: string) => void;
  readonly charsSoFar: () => number;
}

/** Returns what ends it. */
export function startPulse({ live, request, now, log, charsSoFar }: PulseInput): () => void {
  const started = now();
  let complained = false;
  const record = setInterval(() => {
    try {
      live.update({ heartbeatAt: new Date(now()).toISOString() });
    } catch (error) {
      // The run goes on without its sign of life; the process itself still shows that it lives.
      if (!complained)
        log(`session.json cannot be written: ${error instanceof Error ? error.message : String(error)}`);
      complained = true;
    }
  }, recordEvery);
  const tell =
    request.heartbeatMs === 0
      ? undefined
      : setInterval(() => {
          const seconds = Math.round((now() - started) / 1000);
          log(`${live.current.stage}: ${seconds} s, ${charsSoFar()} characters so far`);
        }, request.heartbeatMs);
  return () => {
    clearInterval(record);
    clearInterval(tell);
  };
}
