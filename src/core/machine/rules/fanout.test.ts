import { describe, expect, it } from "vitest";
import { type Actor, type SummonRequest, type Policy, runEvent } from "../../contract/index.ts";
import { type Cast, Play, agent, autopilot, summonRequest } from "../../../../tests/support/play.ts";
import { awaited, crewLanes, due, fold, monitor, nextActions, openGates } from "../index.ts";

const by: Actor = { kind: "person", surface: "cli" };

/** A completed run with a fan-out of so many items. */
function fanned(items: number | SummonRequest[], policy: Partial<Policy> = {}, cast: Cast = {}): Play {
  const list = typeof items === "number" ? Array.from({ length: items }, () => summonRequest()) : items;
  return new Play({ policy: { ...autopilot, ...policy } }, cast).go().give({ type: "fanout", items: list, by });
}

const kinds = (play: Play) => due(play.run).map(({ kind }) => kind);
const outcomes = (play: Play) => play.run.side.tasks.map(({ end }) => end?.outcome);
const askedBeside = (play: Play) => play.run.calls.filter(({ record }) => record.lane === "side");

describe("a fan-out in parallel", () => {
  it.each([
    { fanoutParallel: 4, fanoutMaxItems: 8, items: 6, out: 4 },
    { fanoutParallel: 8, fanoutMaxItems: 8, items: 8, out: 8 },
    { fanoutParallel: 1, fanoutMaxItems: 8, items: 3, out: 1 },
    { fanoutParallel: 8, fanoutMaxItems: 3, items: 3, out: 3 },
    { fanoutParallel: 4, fanoutMaxItems: 8, items: 2, out: 2 },
  ])("[R-51] of $items has $out out at once with a bound of $fanoutParallel", ({ items, out, ...policy }) => {
    const play = fanned(items, policy).sendAll();
    expect(kinds(play)).toEqual(Array.from({ length: out }, () => "reattach_call"));
    expect(askedBeside(play)).toHaveLength(out);
    play.go();
    expect(outcomes(play)).toEqual(Array.from({ length: items }, () => "completed"));
    expect(play.json(play.of("agent_fanout_completed")[0]?.artifact)).toMatchObject({
      bounds: { executedItems: items, maxParallel: Math.min(policy.fanoutParallel, policy.fanoutMaxItems) },
    });
  });

  it("[R-51] takes the answers in any order, each for its own item, and begins the next as one ends", () => {
    const play = fanned(5, { fanoutParallel: 3 }).sendAll();
    play.step(1);
    expect(outcomes(play)).toEqual([undefined, "completed", undefined, undefined, undefined]);
    expect(kinds(play)).toEqual(["reattach_call", "reattach_call", "write_directive"]);
    play.sendAll();
    expect(kinds(play)).toHaveLength(3);
    while (play.step(2)) continue;
    expect(new Set(outcomes(play))).toEqual(new Set(["completed"]));
    expect(play.of("agent_fanout_completed")).toHaveLength(1);
  });

  it("[R-71] reads the same from its log at every moment, whatever came first", () => {
    for (const which of [0, 1, 2, 3]) {
      const play = fanned(6).sendAll();
      while (play.step(which)) play.sendAll();
      const again = fold(play.log.map((one) => ({ ...one, event: runEvent.parse(one.event) })));
      expect(JSON.stringify(again)).toBe(JSON.stringify(play.run));
      expect(play.of("agent_fanout_completed")[0]?.status).toBe("completed");
    }
  });

  it("[R-45] is seen as it is: all who work, and since when", () => {
    const play = fanned([summonRequest({ role: "qa" }), summonRequest({ role: "critic" })]).sendAll();
    const states = Object.fromEntries(crewLanes(play.run).map(({ role, state }) => [role, state]));
    expect(states).toMatchObject({ qa: "working", critic: "working" });
    const going = new Play().go();
    going
      .give({ type: "fanout", items: [summonRequest({ role: "qa" }), summonRequest()], by })
      .sendAll()
      .answer("approve");
    expect(monitor(going.run)).toMatchObject({
      phase: "provider_wait",
      doing: "stub:qa works as qa, stub:critic works as critic",
    });
    expect(nextActions(going.run).find(({ kind }) => kind === "wait_for_provider")?.reason).toBe(
      "Waiting for stub:qa, stub:critic.",
    );
  });

  it("[R-51] a gate stops those behind it and not those before it, and no gate is asked about two", () => {
    const gated = summonRequest({ agent: agent("codex-cli:a") });
    const manual = new Play().go().answer("approve").go().answer("approve").go();
    manual.give({ type: "fanout", items: [summonRequest(), summonRequest(), gated, summonRequest()], by }).sendAll();
    expect(openGates(manual.run).map(({ kind }) => kind)).toEqual(["summon_provider_invocation"]);
    expect(kinds(manual)).toEqual(["reattach_call", "reattach_call"]);
    manual.step(1);
    expect(outcomes(manual)).toEqual([undefined, "completed", undefined, undefined]);
    manual.answer("reject", "no");
    expect(outcomes(manual)).toEqual([undefined, "completed", "blocked", "stopped"]);
    manual.go();
    expect(outcomes(manual)).toEqual(["completed", "completed", "blocked", "stopped"]);
    expect(manual.of("agent_fanout_completed")[0]?.status).toBe("blocked");
  });

  it("a passed gate lets the item and those behind it go, beside those that are out", () => {
    const play = new Play().go().answer("approve").go().answer("approve").go();
    play
      .give({
        type: "fanout",
        items: [summonRequest(), summonRequest({ agent: agent("codex-cli:a") }), summonRequest()],
        by,
      })
      .sendAll();
    play.answer("approve").sendAll();
    expect(kinds(play)).toEqual(["reattach_call", "reattach_call", "reattach_call"]);
    play.go();
    expect(outcomes(play)).toEqual(["completed", "completed", "completed"]);
  });

  it("[R-51] one that is refused, lost or never sent ends alone", () => {
    const play = fanned(
      [summonRequest({ role: "qa" }), summonRequest(), summonRequest({ role: "orchestrator" })],
      {},
      {
        replies: { qa: [{ payload: { verdict: "pass", summary: "fine" } }, { trouble: "in_doubt" }] },
      },
    ).sendAll();
    play.go();
    expect(play.of("agent_fanout_completed")[0]?.status).toBe("failed");
    expect(outcomes(play)).toEqual(["failed", "completed", "completed"]);
    expect(askedBeside(play)).toHaveLength(3);
  });
});

describe("a process that dies with several calls out", () => {
  it("[R-51] finds each again under its own key, sends none of them again, and goes on with the rest", () => {
    const play = fanned(5, { fanoutParallel: 3 }).sendAll();
    const keys = due(play.run).map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys)
      expect(
        play.refusal({ type: "call_posted", key, record: { handle: null, promptSha256: "x", target: "t" } }).code,
      ).toBe("conflict");
    play.go();
    const sent = play.of("provider_wait_posted").map(({ callId }) => callId);
    expect(new Set(sent).size).toBe(sent.length);
    expect(outcomes(play)).toHaveLength(5);
  });
});

describe("an abort", () => {
  it("[R-14] ends all that are out and all that wait, at once, and takes no answer after it", () => {
    const play = new Play().go();
    play.give({ type: "fanout", items: [1, 2, 3, 4, 5, 6].map(() => summonRequest()), by }).sendAll();
    const keys = due(play.run).map(({ key }) => key);
    expect(keys).toHaveLength(4);
    play.give({ type: "abort", reason: "enough", by });
    expect(awaited(play.run).map(({ key }) => key)).not.toEqual(expect.arrayContaining(keys));
    expect(outcomes(play)).toEqual(Array.from({ length: 6 }, () => "stopped"));
    expect(play.run.side.tasks.map(({ end }) => end?.why.includes("outcome unknown"))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    const late = {
      kind: "effect_failed" as const,
      code: "timeout",
      message: "late",
      remedy: null,
    };
    for (const key of keys)
      expect(play.refusal({ type: "effect_done", key, tookMs: 1, outcome: late }).code).toBe("conflict");
  });

  it("also stops the side tasks of a run that has ended, and leaves its end as it was", () => {
    const play = fanned(3).sendAll();
    play.give({ type: "abort", reason: "enough", by });
    expect(play.state).toBe("completed");
    expect(outcomes(play)).toEqual(["stopped", "stopped", "stopped"]);
    expect(play.refusal({ type: "abort", reason: "again", by }).code).toBe("illegal_transition");
  });

  it("closes the gate that an item stood at", () => {
    const play = new Play().go();
    play.give({ type: "summon", request: summonRequest({ agent: agent("codex-cli:a") }), by });
    play.give({ type: "abort", reason: "enough", by }).go();
    expect(openGates(play.run)).toEqual([]);
  });
});

describe("budgets of a fan-out", () => {
  it("[R-14] no further agent is asked once the tokens are used up; calls under way are waited for", () => {
    const budgets = { ...autopilot.budgets, maxTokens: 75 };
    const play = fanned(6, { budgets, fanoutParallel: 2 }, { tokens: 10 });
    const before = play.run.spent.tokens;
    play.go();
    expect(before).toBeLessThan(75);
    const answered = outcomes(play).filter((outcome) => outcome === "completed").length;
    expect(answered).toBeLessThan(6);
    expect(outcomes(play).filter((outcome) => outcome === "blocked")).toHaveLength(6 - answered);
    expect(play.run.spent.tokens).toBeLessThan(75 + 2 * 10);
  });

  it("[R-14] waits that overlap cost the run its time once", () => {
    const play = fanned(4, {}, { tookMs: 10_000 }).sendAll();
    const before = play.run.spent.ms;
    play.now += 10_000;
    while (play.step()) continue;
    const spent = play.run.spent.ms - before;
    expect(spent).toBeGreaterThanOrEqual(10_000);
    expect(spent).toBeLessThan(20_000);
    const responses = play.of("agent_response").slice(-4);
    expect(responses.map(({ tookMs }) => tookMs)).toEqual([10_000, 10_000, 10_000, 10_000]);
  });

  it("[R-15] summons of a fan-out use none of the loop's iterations", () => {
    const play = fanned(4);
    const before = play.run.spent.responses;
    play.sendAll().go();
    expect(play.run.spent.responses).toBe(before);
  });
});
