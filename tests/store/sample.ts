// A small store with a bit of everything, always the same, and a way to tell what can be read of it.
import { FailureError, type Failure, type Store } from "../../src/core/contract/index.ts";

export const clock = { now: () => 1_700_000_000_000 };
export const runIds = ["run_aaaaaa", "run_bbbbbb", "run_cccccc"] as const;
const owner = { pid: 4_000_000, startedAt: "then", host: "elsewhere" };

export async function fill(store: Store, runs: readonly string[] = runIds, appends = 4): Promise<void> {
  for (const runId of runs) {
    const taken = await store.leases.acquire(runId, owner, 60_000);
    for (let turn = 0; turn < appends; turn++) {
      const about = { kind: "log", mediaType: "text/plain", summary: "output" } as const;
      const artifact = await store.artifacts.put(`${runId} ${turn}\n`.repeat(20), about);
      const expectedSeq = (await store.log.head(runId))?.seq ?? 0;
      const events = [
        { type: "said", turn, artifact },
        { type: "done", turn, text: "é".repeat(turn * 60) },
      ];
      const row = {
        runId,
        createdAt: 5,
        goal: `goal of ${runId}`,
        mode: "goal",
        state: "planning",
        brief: { turn },
      };
      const lease = taken.ok ? taken.lease.token : taken.holder.token;
      const result = await store.log.append({ runId, expectedSeq, at: 10 + turn, events, row, lease });
      if (!result.ok) throw new Error(result.conflict);
    }
  }
}

/** Everything a reader can get out of a store, as one text; a failure stands where a part cannot be read. */
export async function contentOf(store: Store, runs: readonly string[] = runIds): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  for (const runId of runs) {
    parts[`events ${runId}`] = await attempt(() => store.log.read(runId));
    parts[`row ${runId}`] = await attempt(() => store.log.row(runId));
    parts[`lease ${runId}`] = await attempt(async () => (await store.leases.holder(runId)) ?? null);
  }
  parts["list"] = await attempt(() => store.log.list());
  parts["count"] = await attempt(() => store.log.count());
  return parts;
}

export async function failureOf(work: () => unknown): Promise<Failure | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
}

async function attempt(work: () => unknown): Promise<string> {
  let value: unknown;
  const failure = await failureOf(async () => (value = await work()));
  return failure ? `failed: ${failure.code}` : JSON.stringify(value);
}
