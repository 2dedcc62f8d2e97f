import { describe, expect, it } from "vitest";
import type { OutsideEffect, SummonRequest, UserCommand } from "../../core/contract/index.ts";
import { openGates } from "../../core/machine/index.ts";
import { type Around, bench, created } from "../../../tests/support/bench.ts";
import { agent, autopilot, creation } from "../../../tests/support/parts.ts";
import { waitUntil } from "../../../tests/support/wait-until.ts";

const by = { kind: "person", surface: "cli" } as const;
const item = (more: Partial<SummonRequest> = {}): SummonRequest => ({
  role: "critic",
  kind: "review",
  brief: "look",
  persona: null,
  constraints: [],
  evidenceRefs: [],
  agent: null,
  ...more,
});
const fanout = (...items: SummonRequest[]): UserCommand => ({ type: "fanout", items, by });

/** Holds every call of a fan-out until so many are out at once; for ever, if they never are. */
function barrier(most: number): { around: Around; highest: () => number } {
  let out = 0;
  let highest = 0;
  let open = () => {};
  const together = new Promise<void>((resolve) => (open = resolve));
  return {
    highest: () => highest,
    async around(effect, go) {
      if (!beside(effect)) return go();
      const outcome = await go();
      out += 1;
      highest = Math.max(highest, out);
      if (out >= most) open();
      await together;
      out -= 1;
      return outcome;
    },
  };
}

const beside = (effect: OutsideEffect): boolean =>
  (effect.kind === "call_provider" || effect.kind === "reattach_call") && effect.call.lane === "side";

const stopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });

const nothing = {
  kind: "call_provider" as const,
  outcome: { result: "failed" as const, why: "aborted", timedOut: false },
  usage: { inputTokens: 0, outputTokens: 0, estimated: true },
  artifacts: [],
};

describe("a fan-out under way", () => {
  it("[R-51] has its calls out together, up to the bound and no further, and each on record before it is waited for", async () => {
    const { around, highest } = barrier(4);
    const { runs } = bench({}, around);
    const { runId } = await created(runs);
    await runs.loop(runId);
    await runs.submit(runId, fanout(...Array.from({ length: 7 }, () => item())));
    const { stop, run } = await runs.loop(runId);
    expect(stop).toBe("terminal");
    expect(highest()).toBe(4);
    const recorded = (await runs.events(runId))
      .map(({ event }) => event)
      .filter(
        (event) =>
          (event.type === "agent_response" && event.lane === "side") ||
          (event.type === "provider_wait_posted" && run.side.tasks.some(({ callId }) => callId === event.callId)),
      )
      .map(({ type }) => type);
    expect(recorded.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => "provider_wait_posted"));
    expect(recorded).toHaveLength(14);
    expect(run.side.fanouts[0]?.end?.status).toBe("completed");
  });

  it("[R-51] asks one after the other where the policy says so", async () => {
    const { around, highest } = barrier(1);
    const { runs } = bench({}, around);
    const { runId } = await created(runs, { policy: { ...creation().policy, fanoutParallel: 1 } });
    await runs.submit(runId, fanout(item(), item(), item()));
    await runs.loop(runId);
    expect(highest()).toBe(1);
  });

  it("a bug in one stops the others and waits for them before the run is let go", async () => {
    const ended: string[] = [];
    let out = 0;
    const { runs, store } = bench({}, async (effect, go, { signal }) => {
      if (!beside(effect)) return go();
      await go();
      out += 1;
      if (out === 3) throw new TypeError("bug");
      await stopped(signal);
      ended.push(effect.key);
      return nothing;
    });
    const { runId } = await created(runs);
    await runs.loop(runId);
    await runs.submit(runId, fanout(item(), item(), item()));
    await expect(runs.loop(runId)).rejects.toThrow("bug");
    expect(ended).toHaveLength(2);
    expect(await store.leases.holder(runId)).toBeUndefined();
    expect((await runs.read(runId)).side.tasks.map(({ end }) => end)).toEqual([null, null, null]);
  });

  it("[R-14] an abort stops all of them at once, and what they bring is not recorded", async () => {
    let out = 0;
    const ended: string[] = [];
    const one = bench({}, async (effect, go, { signal }) => {
      if (!beside(effect)) return go();
      await go();
      out += 1;
      if (out === 4) queueMicrotask(() => void one.runs.submit(runId, { type: "abort", reason: "stop", by }));
      await stopped(signal);
      ended.push(effect.key);
      return nothing;
    });
    const { runId } = await created(one.runs, { policy: creation().policy });
    await one.runs.submit(runId, fanout(...Array.from({ length: 6 }, () => item())));
    const { run, stop } = await one.runs.loop(runId);
    expect(stop).toBe("terminal");
    expect(ended).toHaveLength(4);
    expect(run.phase.state).toBe("aborted");
    expect(run.side.tasks.map(({ end }) => end?.outcome)).toEqual(Array.from({ length: 6 }, () => "stopped"));
    expect(one.performed.filter(beside)).toHaveLength(4);
  });

  /** Runs a fan-out of which every call waits for its end, and does something when all are out. */
  async function interrupted(then: (one: ReturnType<typeof bench>, runId: string) => Promise<void>) {
    const ended: string[] = [];
    let out = 0;
    const one = bench({}, async (effect, go, { signal }) => {
      if (!beside(effect)) return go();
      await go();
      out += 1;
      if (out === 3) await then(one, runId);
      await stopped(signal);
      ended.push(effect.key);
      return nothing;
    });
    const { runId } = await created(one.runs, { policy: creation().policy });
    await one.runs.submit(runId, fanout(item(), item(), item()));
    const failure = await one.runs.advance(runId).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { one, runId, ended, failure };
  }

  it("[R-14] an abort by another process is noticed while all are waited for", async () => {
    const { one, runId, ended, failure } = await interrupted(async ({ folder }, id) => {
      await bench({}, undefined, folder).runs.submit(id, { type: "abort", reason: "stop", by });
    });
    expect(failure).toBeUndefined();
    expect(ended).toHaveLength(3);
    expect((await one.runs.read(runId)).phase.state).toBe("aborted");
  });

  it("another process that takes the run over ends them all here, and records nothing from here", async () => {
    const { one, runId, ended, failure } = await interrupted(async ({ store }, id) => {
      await store.leases.release(id, (await store.leases.holder(id))?.token ?? 0);
      await store.leases.acquire(id, { pid: 1, startedAt: "then", host: "elsewhere" }, 60_000);
    });
    expect(failure).toMatchObject({ failure: { code: "run_busy" } });
    expect(ended).toHaveLength(3);
    expect((await one.runs.read(runId)).side.tasks.map(({ end }) => end)).toEqual([null, null, null]);
    expect((await one.store.leases.holder(runId))?.owner.host).toBe("elsewhere");
  });

  it("[R-61] an answer to the gate of one leaves those that are out alone", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const one = bench({}, async (effect, go, { signal }) => {
      if (!beside(effect)) return go();
      const outcome = await go();
      await Promise.race([gate, stopped(signal)]);
      expect(signal.aborted).toBe(false);
      return outcome;
    });
    const { runId } = await created(one.runs, { policy: creation().policy });
    await one.runs.loop(runId);
    await one.runs.submit(runId, fanout(item(), item({ agent: agent("codex-cli:a") }), item()));
    let answered = false;
    const going = one.runs.advance(runId, {
      event: ({ event }) => {
        if (event.type !== "approval_required" && event.type !== "provider_wait_posted") return;
        queueMicrotask(async () => {
          const open = openGates(await one.runs.read(runId)).find(({ lane }) => lane === "side");
          if (!open || answered) return;
          answered = true;
          await one.runs.submit(runId, {
            type: "answer",
            gateId: open.id,
            subjectSha256: open.subject.sha256,
            answer: "approve",
            message: open.phrase ?? "",
            by,
          });
          release();
        });
      },
    });
    await going;
    await one.runs.loop(runId);
    expect((await one.runs.read(runId)).side.tasks.map(({ end }) => end?.outcome)).toEqual([
      "completed",
      "completed",
      "completed",
    ]);
  });
});

describe("a process that dies with several calls out", () => {
  it("[R-51] leaves each to be found again or in doubt; none is sent twice, and those that never left are sent", async () => {
    const sent: string[] = [];
    const died = new Error("killed");
    const first = bench({}, async (effect, go) => {
      if (!beside(effect)) return go();
      const outcome = await go();
      sent.push(effect.key);
      if (sent.length === 3) throw died;
      await new Promise((resolve) => setImmediate(resolve));
      return new Promise(() => outcome);
    });
    const { runId } = await created(first.runs, { policy: { ...autopilot, fanoutParallel: 3 } });
    await first.runs.loop(runId);
    await first.runs.submit(runId, fanout(...Array.from({ length: 5 }, () => item())));
    // The dead process never comes back from its calls: no process waits for it.
    void first.runs.loop(runId).catch(() => {});
    await waitUntil(() => sent.length >= 3, "three calls are sent", { every: 1 });
    await first.store.leases.release(runId, (await first.store.leases.holder(runId))?.token ?? 0);
    const second = bench(
      {},
      async (effect, go) => {
        if (effect.kind === "call_provider") sent.push(effect.key);
        if (effect.kind !== "reattach_call") return go();
        if (effect.key === sent[1]) return { ...(await go()), kind: "reattach_call" as const } as never;
        return { ...nothing, kind: "reattach_call", outcome: { result: "in_doubt", why: "gone" } };
      },
      first.folder,
    );
    const { stop, run } = await second.runs.loop(runId);
    expect(stop).toBe("terminal");
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent).toHaveLength(5);
    expect(run.side.tasks.map(({ end }) => end?.outcome)).toEqual([
      "failed",
      "completed",
      "failed",
      "completed",
      "completed",
    ]);
    expect((await second.store.log.verify()).problems).toEqual([]);
  });

  it("an interrupt ends all that are out, records nothing of them, and gives the run back", async () => {
    const stop = new AbortController();
    let out = 0;
    const { runs, store } = bench({}, async (effect, go, { signal }) => {
      if (!beside(effect)) return go();
      await go();
      out += 1;
      if (out === 2) stop.abort();
      else await stopped(signal);
      return nothing;
    });
    const { runId } = await created(runs);
    await runs.loop(runId);
    await runs.submit(runId, fanout(item(), item(), item()));
    const done = await runs.loop(runId, { signal: stop.signal });
    expect(done.stop).toBe("interrupted");
    expect(done.run.side.tasks.map(({ end }) => end)).toEqual([null, null, null]);
    expect(await store.leases.holder(runId)).toBeUndefined();
  });
});
