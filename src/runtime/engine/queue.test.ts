// One run, many callers in one process, on a store that takes its time: each turn ends before the next begins.
import { describe, expect, it } from "vitest";
import type { RunEvent, UserCommand } from "../../core/contract/index.ts";
import { openGates } from "../../core/machine/index.ts";
import { approve, bench, created, type Around } from "../../../tests/support/bench.ts";
import { creation } from "../../../tests/support/parts.ts";
import { type SlowStore, slowStore } from "../../../tests/support/slow-store.ts";
import { createTurns } from "./turns.ts";

const by = { kind: "person", surface: "cli" } as const;
const board: UserCommand = { type: "export_board", by };
const abort: UserCommand = { type: "abort", reason: "stop", by };

function slowBench(around?: Around) {
  let slow: SlowStore<RunEvent> | undefined;
  const made = bench({}, around, undefined, (store) => (slow = slowStore(store)));
  if (!slow) throw new Error("no store");
  return { ...made, slow };
}

const typesOf = (events: readonly { event: RunEvent }[]) => events.map(({ event }) => event.type);

describe("the queue of a run", () => {
  const log = {} as Parameters<typeof createTurns>[0];
  const later = () => new Promise(setImmediate);

  it("lets one turn end before the next begins, in the order in which they were asked for", async () => {
    const turns = createTurns(log);
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await later();
      seen.push(`${name} ends`);
    };
    await Promise.all(["a", "b", "c"].map((name) => turns.take("run_000000", work(name))));
    expect(seen).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it("goes on after a turn that failed, and tells only its caller", async () => {
    const turns = createTurns(log);
    const failed = turns.take("run_000000", () => Promise.reject(new Error("full")));
    const next = turns.take("run_000000", () => Promise.resolve("done"));
    await expect(failed).rejects.toThrow("full");
    expect(await next).toBe("done");
  });

  it("is one for each run: a run that takes long holds up no other", async () => {
    const turns = createTurns(log);
    let open = () => {};
    const slow = turns.take("run_000000", () => new Promise<void>((resolve) => (open = resolve)));
    expect(await turns.take("run_000001", () => Promise.resolve("other"))).toBe("other");
    open();
    await slow;
  });
});

describe("many callers on one run, with a slow store", () => {
  it("interleave nowhere and lose nothing: every command and every event once, the same for all watchers", async () => {
    const { runs, slow } = slowBench();
    const { runId } = await created(runs);
    const watching = Array.from({ length: 3 }, async () => {
      const seen: string[] = [];
      for await (const { stored, run } of runs.watch(runId, 1)) {
        expect(run.seq).toBe(stored.seq);
        seen.push(`${stored.seq} ${stored.event.type}`);
      }
      return seen;
    });
    const reported: number[] = [];
    const looping = runs.loop(runId, { event: ({ seq }) => void reported.push(seq) });
    const asking = Array.from({ length: 20 }, async (_, index) => {
      for (let wait = 0; wait < index; wait += 1) await new Promise((resolve) => setTimeout(resolve, 5));
      await runs.submit(runId, board);
      return runs.read(runId);
    });
    const others = Array.from({ length: 3 }, () => runs.loop(runId, { waitMs: 60_000 }));
    const { run, stop } = await looping;
    await Promise.all([...asking, ...others]);
    expect([stop, run.phase.state]).toEqual(["terminal", "completed"]);
    // A request that came after the end of the run is on record too; the watchers have left by then.
    const events = await runs.events(runId);
    expect(typesOf(events).filter((type) => type === "agent_board_written")).toHaveLength(20);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const all = events.map(({ seq, event }) => `${seq} ${event.type}`);
    for (const seen of await Promise.all(watching)) {
      expect(seen.length).toBeGreaterThanOrEqual(run.seq);
      expect(seen).toEqual(all.slice(0, seen.length));
    }
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect([slow.overlapping(), slow.conflicts()]).toEqual([1, 0]);
    expect((await slow.log.verify(runId)).problems).toEqual([]);
    expect(await slow.leases.holder(runId)).toBeUndefined();
  });

  it("an abort gets through while others keep asking, and stops the call that is under way", async () => {
    let called = () => {};
    const underWay = new Promise<void>((resolve) => (called = resolve));
    const { runs, slow } = slowBench(async (effect, go, { signal, posted }) => {
      if (effect.kind !== "call_provider" || effect.call.role !== "implementer") return go();
      await posted({ handle: null, promptSha256: "x", target: "t" });
      called();
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve());
      });
      return {
        kind: "call_provider",
        outcome: { result: "failed", why: "aborted", timedOut: false },
        usage: { inputTokens: 0, outputTokens: 0, estimated: true },
        artifacts: [],
      };
    });
    const { runId } = await created(runs);
    const looping = runs.loop(runId);
    await underWay;
    const over = new AbortController();
    const readers = Array.from({ length: 10 }, async () => {
      while (!over.signal.aborted) await runs.read(runId);
    });
    await runs.submit(runId, abort);
    over.abort();
    const { run, stop } = await looping;
    await Promise.all(readers);
    expect([stop, run.phase.state]).toEqual(["terminal", "aborted"]);
    expect(slow.conflicts()).toBe(0);
  });

  it("an answer is used once, however many give it at the same time", async () => {
    const { runs } = slowBench();
    const { runId } = await created(runs, { policy: creation().policy });
    await runs.loop(runId);
    const gates = openGates(await runs.read(runId));
    expect(gates).toHaveLength(1);
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => approve(runs, runId)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(typesOf(await runs.events(runId)).filter((type) => type === "approval_recorded")).toHaveLength(1);
  });
});

describe("an append that fails", () => {
  const holds = (type: RunEvent["type"]) => (events: readonly RunEvent[]) =>
    events.some((event) => event.type === type);

  it.each(["lost", "unanswered"] as const)(
    "to a caller (%s) is reported to that caller, and those behind it in the queue are served",
    async (kind) => {
      const { runs, slow } = slowBench();
      const { runId } = await created(runs);
      slow.trouble(kind, holds("agent_board_written"));
      const [first, ...rest] = await Promise.allSettled(Array.from({ length: 4 }, () => runs.submit(runId, board)));
      expect(first).toMatchObject({ status: "rejected", reason: { failure: { code: "store_io" } } });
      expect(rest.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
      const written = typesOf(await runs.events(runId)).filter((type) => type === "agent_board_written");
      expect(written).toHaveLength(kind === "lost" ? 3 : 4);
      expect((await runs.read(runId)).seq).toBe((await slow.log.head(runId))?.seq);
    },
  );

  it.each([
    ["lost", "provider_wait_posted"],
    ["unanswered", "provider_wait_posted"],
    ["lost", "agent_response"],
    ["unanswered", "agent_response"],
    ["lost", "agent_directive_created"],
    ["unanswered", "agent_directive_created"],
  ] as const)("under the loop (%s, %s) ends it; the next loop goes on to the end", async (kind, type) => {
    const sent: string[] = [];
    const { runs, slow } = slowBench((effect, go) => {
      if (effect.kind === "reattach_call")
        return Promise.resolve({
          kind: "reattach_call",
          outcome: { result: "in_doubt", why: "gone" },
          usage: { inputTokens: 0, outputTokens: 0, estimated: true },
          artifacts: [],
        });
      return go().then((outcome) => {
        if (effect.kind === "call_provider") sent.push(effect.key);
        return outcome;
      });
    });
    const { runId } = await created(runs);
    slow.trouble(kind, holds(type));
    await expect(runs.loop(runId)).rejects.toMatchObject({ failure: { code: "store_io" } });
    expect(await slow.leases.holder(runId)).toBeUndefined();
    for (let round = 0; round < 3; round += 1) {
      const { run } = await runs.loop(runId);
      const [gate] = openGates(run);
      if (!gate) break;
      expect(gate.kind).toBe("provider_in_doubt");
      const { id: gateId, subject } = gate;
      await runs.submit(runId, {
        type: "answer",
        gateId,
        subjectSha256: subject.sha256,
        answer: "retry",
        message: "",
        by,
      });
    }
    expect((await runs.read(runId)).phase.state).toBe("completed");
    expect(new Set(sent).size).toBe(sent.length);
    expect((await slow.log.verify(runId)).problems).toEqual([]);
  });
});
