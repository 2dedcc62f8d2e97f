// The scripted work of the crash tests: what is appended next depends only on what is already in the log,
// so a run that was interrupted anywhere and resumed must end in the very same log.
import { thisProcess } from "../../src/platform/store/index.ts";
import { FailureError, type ArtifactRef, type Store } from "../../src/core/contract/index.ts";

export interface ScriptEvent {
  readonly type: "step";
  readonly after: number;
  readonly index: number;
  readonly text: string;
  readonly artifact?: ArtifactRef;
}

export interface Ack {
  readonly runId: string;
  readonly seq: number;
  readonly hash: string;
}

export const targets = { run_aaaaaa: 9, run_bbbbbb: 4 } as const;
export const clock = { now: () => 1_700_000_000_000 };

/** Advances one run by one append; false when it has reached its target. */
export async function step(
  store: Store,
  runId: string,
  target: number,
  acknowledge: (ack: Ack) => void,
): Promise<boolean> {
  const seq = (await store.log.head(runId))?.seq ?? 0;
  if (seq >= target) return false;
  const lease = await takeLease(store, runId);
  const about = { kind: "log", mediaType: "text/plain", summary: "output" } as const;
  const artifact = await store.artifacts.put(`output after ${runId} ${seq}\n`.repeat(200), about);
  const events = Array.from({ length: 1 + (seq % 3) }, (_, index): ScriptEvent => {
    const text = "x".repeat(100 + seq * 40);
    return { type: "step", after: seq, index, text, ...(index === 0 ? { artifact } : {}) };
  });
  const row = { runId, createdAt: 1, goal: "g", mode: "goal", state: `after-${seq}`, brief: { seq } };
  const result = await store.log.append({ runId, expectedSeq: seq, at: seq + 1, events, row, lease });
  if (!result.ok) throw new Error(`a lease holder got ${result.conflict}`);
  for (const { seq, hash } of result.stored) acknowledge({ runId, seq, hash });
  await store.leases.release(runId, lease);
  return true;
}

/** A lease this process could not give back, because the disk was full just then, is still its own. */
async function takeLease(store: Store, runId: string): Promise<number> {
  const me = thisProcess();
  const taken = await store.leases.acquire(runId, me, 60_000);
  if (taken.ok) return taken.lease.token;
  if (taken.holder.owner.pid === me.pid) return taken.holder.token;
  throw new Error(`${runId} is held by process ${taken.holder.owner.pid}`);
}

export async function advanceAll(store: Store, acknowledge: (ack: Ack) => void): Promise<void> {
  for (const [runId, target] of Object.entries(targets)) while (await step(store, runId, target, acknowledge));
}

export function failureCode(error: unknown): string | undefined {
  return error instanceof FailureError ? error.failure.code : undefined;
}
