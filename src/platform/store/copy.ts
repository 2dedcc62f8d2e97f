// Copies runs from one store to another, event by event with the same hashes. A copy that was killed continues where it
// stopped; a run with other events at its destination is refused.
import {
  FailureError,
  type RunRow,
  type Store,
  type StoreCopied,
  type StoredEvent,
} from "../../core/contract/index.ts";
import { referencesIn } from "./verify.ts";

export async function copyStore(from: Store, to: Store, tell: (line: string) => void): Promise<StoreCopied> {
  const skipped: { runId: string; why: string }[] = [];
  let [runs, events, artifacts] = [0, 0, 0];
  for (const row of await allRows(from)) {
    const { runId } = row;
    const why = row.damaged ?? ((await from.leases.holder(runId)) ? "a process works on it" : undefined);
    if (why !== undefined) {
      skipped.push({ runId, why });
      continue;
    }
    const stored = await from.log.read(runId);
    const there = await to.log.head(runId);
    if (there && stored[there.seq - 1]?.hash !== there.hash) {
      skipped.push({ runId, why: `the destination has another log of it, ${there.seq} events long` });
      continue;
    }
    artifacts += await copyArtifacts(from, to, stored);
    const missing = stored.slice(there?.seq ?? 0);
    await copyEvents(to, row, missing);
    events += missing.length;
    runs += 1;
    tell(`${runId}: ${missing.length} of ${stored.length} events copied`);
  }
  return {
    runs,
    events,
    artifacts,
    skipped,
    source: await from.log.verify(),
    destination: await to.log.verify(),
  };
}

/** Oldest first, so that the destination lists them in the same order at every moment. */
async function allRows(store: Store): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await store.log.list({ limit: 1_000, ...(last ? { before: last } : {}) });
    rows.push(...page);
    if (page.length < 1_000) return rows.reverse();
  }
}

/** Each artifact is durable at the destination before the event that names it. */
async function copyArtifacts(from: Store, to: Store, stored: readonly StoredEvent[]): Promise<number> {
  const about = { kind: "log", mediaType: "application/octet-stream", summary: "copied" } as const;
  let copied = 0;
  for (const name of new Set(stored.flatMap(({ event }) => [...referencesIn(event)]))) {
    const ref = `sha256:${name}`;
    if (await to.artifacts.has(ref)) continue;
    await to.artifacts.put(await from.artifacts.read(ref), about);
    copied += 1;
  }
  return copied;
}

/** Events of one moment go together, as they were written: their hashes come out the same, and are compared. */
async function copyEvents(to: Store, row: RunRow, missing: readonly StoredEvent[]): Promise<void> {
  const { runId, createdAt, goal, mode, state, brief } = row;
  for (let start = 0; start < missing.length;) {
    const { at, seq } = missing[start] as StoredEvent;
    let end = start + 1;
    while (missing[end]?.at === at) end += 1;
    const part = missing.slice(start, end);
    const result = await to.log.append({
      runId,
      expectedSeq: seq - 1,
      at,
      events: part.map(({ event }) => event),
      row: { runId, createdAt, goal, mode, state, brief },
    });
    if (!result.ok || result.stored.at(-1)?.hash !== part.at(-1)?.hash)
      throw new FailureError({
        code: "conflict",
        message: `Run ${runId} changed at the destination while it was copied.`,
        remedy: "Nothing was lost. Run the command again; it goes on where it stopped.",
      });
    start = end;
  }
}
