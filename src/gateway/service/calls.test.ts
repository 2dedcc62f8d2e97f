// One call of a sandbox, with a ledger in memory: taken over, it is reconciled before it is tried, and its result is kept clean.
import { describe, expect, it } from "vitest";
import type { CallDecision, FoundEffect, ToolResult } from "../rules/index.ts";
import { Calls, type ToolEffect } from "./calls.ts";
import type { GatewayDeps } from "./deps.ts";

const call = { sessionId: "s", callId: "c", tool: "verify", argsHash: "h" };
const done = (result: string): ToolResult => ({ success: true, result });

function ledger(decision: CallDecision) {
  const settled: { fence: number; state: string; result: ToolResult }[] = [];
  const store = {
    ended: () => Promise.resolve(undefined),
    claim: () => Promise.resolve(decision),
    renew: () => Promise.resolve(true),
    settle: (_: unknown, fence: number, result: ToolResult, state: string) => (
      settled.push({ fence, state, result }),
      Promise.resolve(true)
    ),
  };
  const deps = {
    store,
    clock: { now: () => 1 },
    limits: { leaseMs: 30_000, waitMs: 1_000 },
    log: () => undefined,
  };
  const calls = new Calls(deps as unknown as GatewayDeps, (_, result) => ({
    ...result,
    result: result.result.replaceAll("hunter2", "***"),
  }));
  return { calls, settled };
}

function effect(found: FoundEffect, performed: string[]): () => ToolEffect {
  return () => ({
    kind: "world",
    perform: () => (performed.push("performed"), Promise.resolve({ result: done("by hunter2"), effects: 1 })),
    reconcile: () => (performed.push("looked"), Promise.resolve(found)),
  });
}

describe("[A-17] [A-40] a call of a sandbox", () => {
  it("that is new is performed and settled under the first fence, without a secret in its result", async () => {
    const steps: string[] = [];
    const { calls, settled } = ledger({ kind: "run" });
    const end = await calls.call(call as never, effect({ kind: "unknown" }, steps));
    expect(steps).toEqual(["performed"]);
    expect(settled).toEqual([{ fence: 1, state: "succeeded", result: done("by ***") }]);
    expect(JSON.stringify(end)).not.toContain("hunter2");
  });

  it.each([
    [{ kind: "done", result: done("it was") } as const, ["looked"], "succeeded", "it was"],
    [{ kind: "unknown" } as const, ["looked"], "in_doubt", "not known whether"],
    [{ kind: "not_begun" } as const, ["looked", "performed"], "succeeded", "by ***"],
  ])("whose owner died is looked for first: %o", async (found, steps, state, words) => {
    const seen: string[] = [];
    const { calls, settled } = ledger({ kind: "take_over", fence: 4 });
    await calls.call(call as never, effect(found, seen));
    expect(seen).toEqual(steps);
    expect(settled).toHaveLength(1);
    expect(settled[0]).toMatchObject({ fence: 4, state });
    expect(settled[0]?.result.result).toContain(words);
  });
});
