import { expect, it } from "vitest";
import type { RunEvent, StoredEvent } from "../../core/contract/index.ts";
import { firstTaken } from "./attempts.ts";

const approvedAt = (at: number) =>
  [{ at, event: { type: "approval_recorded" } }] as unknown as readonly StoredEvent<RunEvent>[];

/** What each of several processes finds when it looks after its own approval. */
const seen = (at: Readonly<Record<string, number>>, order: readonly string[]) =>
  firstTaken(
    { events: (runId) => Promise.resolve(approvedAt(at[runId] ?? 0)) },
    { rows: order.map((runId) => ({ runId, standing: "taken" as const })) },
  );

it("[R-43] of attempts that are approved at once the first approval counts for every process", async () => {
  for (const order of [
    ["run_a", "run_b"],
    ["run_b", "run_a"],
  ]) {
    expect(await seen({ run_a: 20, run_b: 10 }, order)).toBe("run_b");
    expect(await seen({ run_a: 10, run_b: 10 }, order)).toBe("run_a");
  }
  expect(await firstTaken({ events: () => Promise.resolve([]) }, { rows: [] })).toBeUndefined();
});
