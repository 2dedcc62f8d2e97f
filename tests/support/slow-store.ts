// A store that takes its time behind the same ports, as one behind a network does. It counts appends that overlap and
// conflicts, and can lose an append or only its answer.
import { FailureError, type AppendRequest, type EventLog, type Store } from "../../src/core/contract/index.ts";

/** `lost`: the append never arrives. `unanswered`: it becomes durable, and its answer does not come back. */
export type Trouble = "lost" | "unanswered";

export interface SlowStore<E> extends Store<E> {
  /** How many appends to one run were under way at once, at most. */
  overlapping(): number;
  /** How many appends were refused because their writer had not seen the end of the log. */
  conflicts(): number;
  /** The next append whose events fit meets this trouble. */
  trouble(kind: Trouble, fits?: (events: readonly E[]) => boolean): void;
}

/** Waits between 0 and `mostMs`, differently each time and the same in every test run. */
function pauses(mostMs: number): () => Promise<void> {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return new Promise((resolve) => setTimeout(resolve, seed % (mostMs + 1)));
  };
}

function slowly<P extends object>(port: P, pause: () => Promise<void>): P {
  const methods = Object.entries(port as Record<string, (...args: unknown[]) => Promise<unknown>>);
  const slow = methods.map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      await pause();
      try {
        return await method(...args);
      } finally {
        await pause();
      }
    },
  ]);
  return Object.fromEntries(slow) as P;
}

export function slowStore<E>(store: Store<E>, mostMs = 4): SlowStore<E> {
  const pause = pauses(mostMs);
  const under = new Map<string, number>();
  let overlapping = 0;
  let conflicts = 0;
  let next: { kind: Trouble; fits: (events: readonly E[]) => boolean } | undefined;

  const send = async (request: AppendRequest<E>) => {
    const trouble = next?.fits(request.events) ? next.kind : undefined;
    if (trouble) next = undefined;
    const gone = new FailureError({ code: "store_io", message: `the append was ${trouble}` });
    if (trouble === "lost") throw gone;
    const result = await store.log.append(request);
    if (!result.ok) conflicts += 1;
    if (trouble) throw gone;
    return result;
  };
  const append: EventLog<E>["append"] = async (request) => {
    const { runId } = request;
    const now = (under.get(runId) ?? 0) + 1;
    under.set(runId, now);
    overlapping = Math.max(overlapping, now);
    await pause();
    try {
      return await send(request);
    } finally {
      await pause();
      under.set(runId, (under.get(runId) ?? 1) - 1);
    }
  };
  return {
    log: { ...slowly(store.log, pause), append },
    artifacts: slowly(store.artifacts, pause),
    leases: slowly(store.leases, pause),
    close: () => store.close(),
    overlapping: () => overlapping,
    conflicts: () => conflicts,
    trouble: (kind, fits = () => true) => (next = { kind, fits }),
  };
}
