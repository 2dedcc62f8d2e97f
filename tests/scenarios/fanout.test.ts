// Fan-outs with the real stub, the real store and real processes: several answers are waited for together.
import { afterEach, describe, expect, it } from "vitest";
import type { ProviderPort } from "../../src/core/contract/index.ts";
import { createStub } from "../../src/agents/index.ts";
import { ask, ends, killedAfter } from "./fanout-scene.ts";
import { type Scenario, cleanUp, person, start } from "./harness.ts";

afterEach(cleanUp);

/** Stub agents that answer only when so many of them have been asked. */
function together(most: number): ProviderPort {
  const stub = createStub();
  let asked = 0;
  let open = () => {};
  const all = new Promise<void>((resolve) => (open = resolve));
  return {
    ...stub,
    id: "crowd",
    traits: { ...stub.traits },
    resolve: (model) => ({ ok: true, identity: `crowd:${model}` }),
    async send(call, signal) {
      const sent = await stub.send(call, signal);
      asked += 1;
      if (asked >= most) open();
      return { answer: all.then(() => sent.answer) };
    },
  };
}

const roles = { critic: "crowd:a", qa: "crowd:b", researcher: "crowd:c", planner: "stub:planner" };
const four = [ask("critic"), ask("qa"), ask("researcher"), ask("critic")];

/** What became of the calls beside the loop, in the order of the log. */
const beside = async (run: Scenario): Promise<string[]> => {
  const calls = new Set(run.run.side.tasks.map(({ callId }) => callId));
  return (await run.opened.engine.events(run.runId)).flatMap(({ event }) =>
    (event.type === "provider_wait_posted" || event.type === "agent_response") && calls.has(event.callId)
      ? [event.type === "agent_response" ? "answered" : "sent"]
      : [],
  );
};
describe("a fan-out of slow agents", () => {
  it("[R-51] is sent to all before any of them answers", async () => {
    const run = await (await start({ providers: [together(4)], roles })).until("implementation_start");
    await run.submit({ type: "fanout", items: four, by: person });
    await run.go();
    expect(await beside(run), run.story()).toEqual([
      ...Array.from({ length: 4 }, () => "sent"),
      ...Array.from({ length: 4 }, () => "answered"),
    ]);
    expect(ends(run)).toEqual(Array.from({ length: 4 }, () => "completed"));
    expect(run.json(run.events("agent_fanout_completed")[0]?.artifact)).toMatchObject({
      bounds: { execution: "parallel", maxParallel: 4, executedItems: 4 },
    });
    expect(run.gate.kind).toBe("implementation_start");
  });

  it("[R-51] of the bound and no more: the fifth is asked when one has answered", async () => {
    const run = await (
      await start({ providers: [together(2)], roles, policy: { fanoutParallel: 2 } })
    ).until("implementation_start");
    await run.submit({ type: "fanout", items: [...four, ask("qa")], by: person });
    await run.go();
    const story = await beside(run);
    expect(story.slice(0, 3)).toEqual(["sent", "sent", "answered"]);
    let out = 0;
    for (const what of story) {
      out += what === "sent" ? 1 : -1;
      expect(out).toBeLessThanOrEqual(2);
    }
    expect(ends(run)).toEqual(Array.from({ length: 5 }, () => "completed"));
  });
});

describe("a process that is killed with several calls out", () => {
  it("[R-51] leaves each in doubt, repeats none, and the next process asks who was never asked", async () => {
    const slow = { delayMs: 120_000 };
    const run = await (
      await start({ script: { summons: { critic: [slow, slow, slow] } } })
    ).until("implementation_start");
    const items = [ask("critic"), ask("critic"), ask("critic"), ask("qa"), ask("qa")];
    await run.submit({ type: "fanout", items, by: person });
    // Four are out: the three slow ones, and one that answers at once.
    await killedAfter(run, (types) => types.filter((type) => type === "provider_wait_posted").length >= 4);
    const before = run.run.side.tasks.flatMap(({ callId }) =>
      run.run.calls.filter((call) => call.record.callId === callId && call.posted).map(() => callId),
    );
    await run.go();
    const sent = run.events("provider_wait_posted").map(({ callId }) => callId);
    expect(new Set(sent).size, run.story()).toBe(sent.length);
    expect(sent).toEqual(expect.arrayContaining(before));
    expect(ends(run).slice(0, 3)).toEqual(["failed", "failed", "failed"]);
    expect(run.run.side.tasks[0]?.end?.why).toContain("outcome unknown");
    expect(ends(run).slice(3)).not.toContain(undefined);
    expect(run.run.side.tasks.filter(({ callId }) => callId !== null)).toHaveLength(5);
    expect(run.gate.kind).toBe("implementation_start");
    expect((await run.opened.store.log.verify(run.runId)).problems).toEqual([]);
  });
});

describe("an abort with several calls out", () => {
  it("[R-14] ends all of them at once and leaves nothing under way", async () => {
    const slow = { delayMs: 120_000 };
    const run = await (
      await start({ script: { summons: { critic: [slow, slow, slow, slow] } } })
    ).until("implementation_start");
    await run.submit({ type: "fanout", items: Array.from({ length: 6 }, () => ask("critic")), by: person });
    let out = 0;
    const { stop } = await run.opened.engine.loop(run.runId, {
      event({ event }) {
        if (event.type !== "provider_wait_posted") return;
        out += 1;
        if (out === 4) setImmediate(() => void run.submit({ type: "abort", reason: "changed my mind", by: person }));
      },
    });
    expect(stop).toBe("terminal");
    expect(run.state).toBe("aborted");
    expect(out).toBe(4);
    expect(ends(run)).toEqual(Array.from({ length: 6 }, () => "stopped"));
    expect(run.events("agent_fanout_completed")[0]?.status).toBe("blocked");
  });
});
