// A doubt of the runtime: one record, first wherever somebody decides, and with a consequence.
import { describe, expect, it } from "vitest";
import type { Doubt, DoubtPolicy } from "../../contract/index.ts";
import { openGates } from "../index.ts";
import { doubtsOf } from "./doubts.ts";
import { type Cast, Play, autopilot } from "../../../../tests/support/play.ts";
import { exitOf } from "../../../operations/run-data/exit.ts";
import { compactStatus, fullView } from "../view/index.ts";

const replayed: Doubt = {
  kind: "replay",
  place: "add in src/add.ts:1",
  measure: `add(1, 2) gave 3 under the tests and 0 outside${" of them".repeat(60)}, and that is the end of it`,
};
const untried: Doubt = { kind: "untried", place: "src/b.ts", measure: "no time was left" };
const doubted = (...all: Doubt[]): Cast => ({ doubts: (variant) => (variant === "base" ? [] : all) });
const play = (cast: Cast, doubts?: Partial<DoubtPolicy>) => {
  const policy = { ...autopilot, ...(doubts ? { doubts: { ask: [], accept: [], ...doubts } } : {}) };
  return new Play({ policy }, cast).go();
};

const exit = (one: Play): number =>
  exitOf({ runId: one.run.runId, stop: "ended", status: compactStatus(one.run) } as never);

const quiet = { canary: "noticed", planned: 1, ran: 0, noticed: 0, reachRan: 0, reachNoticed: 0, missed: [] };
const control = (more: object) => ({ ...quiet, weakened: null, budgetMs: 1, spentMs: 1, ...more });

/** The doubts about a pass whose check was tried with this result, and whose patch has these findings. */
function tried(more: object, evidence: object = {}, findings: readonly object[] = []): Doubt[] {
  const { run } = play({});
  const pass = run.passes.at(-1);
  if (!pass) throw new Error("no pass");
  const checks = pass.checks.map((one) =>
    one.variant === "base" ? one : { ...one, control: control(more), ...evidence },
  );
  const judgement = pass.judgement && { ...pass.judgement, findings: [...pass.judgement.findings, ...findings] };
  const last = { ...pass, checks, judgement } as typeof pass;
  return doubtsOf({ ...run, passes: [...run.passes.slice(0, -1), last] }, last);
}

describe("a doubt of the runtime", () => {
  it("[B-6] [B-26] names a test file of the work that passes with wrong values", () => {
    const planted = { tried: 2, noticed: 1, unnoticed: ["test/b.test.js"] };
    expect(tried({ planted })).toEqual([]);
    expect(tried({ planted: { ...planted, deaf: ["test/b.test.js"] } })).toMatchObject([
      { kind: "unnoticed_failure", place: "test/b.test.js" },
    ]);
  });

  it("[B-9] one row more in a table of the tests' values is no excuse where no other call was made", () => {
    const found = { known: "src/a.js:1 holds the very values that a.test.js:1 asks for", reachRan: 1, reachNoticed: 1 };
    const kinds = (more: object, evidence = {}) => tried({ ...found, ...more }, evidence).map(({ kind }) => kind);
    const replay = (neighbours: number) => ({ replay: { neighbours, unrecorded: [] } });
    expect(kinds({})).toEqual(["known_values"]);
    expect(kinds({ knownWider: true })).toEqual(["known_values"]);
    expect(kinds({ knownWider: true }, replay(2))).toEqual(["known_values"]);
    expect(kinds({ knownWider: true }, replay(12))).toEqual([]);
    expect(kinds({}, replay(12))).toEqual(["known_values"]);
  });

  it("[B-6] names a test that fails now and then on the work alone", () => {
    const unsteady = { tests: ["adds"], ran: 3, failed: 1, base: { ran: 6, failed: 0 } };
    expect(tried({}, { unsteady })).toEqual([
      { kind: "unsteady", place: "adds", measure: "adds failed in 1 of 3 runs here and in 0 of 6 on the base commit" },
    ]);
    expect(tried({}, { unsteady: { ...unsteady, base: { ran: 4, failed: 1 } } })).toEqual([]);
  });

  it("[B-6] names a check that passes only where earlier commits can be read", () => {
    expect(tried({ needsHistory: true })).toMatchObject([
      { kind: "surroundings", measure: expect.stringContaining("earlier commits") as string },
    ]);
  });

  it("[B-26] names a file that nobody can read once, with what was measured", () => {
    const found = { reason: "binary_source", path: "src/a.node", message: "src/a.node is compiled code" };
    const loaded: Doubt = { kind: "binary", place: "src/a.node", measure: "`npm test` loads it" };
    const unread: Doubt = { kind: "binary", place: "src/a.node", measure: found.message };
    expect(tried({}, { doubts: [loaded] }, [found])).toEqual([loaded]);
    expect(tried({}, {}, [found])).toEqual([unread]);
  });

  it("[B-26] is one question on autopilot before the work is integrated, and comes first on it", () => {
    const one = play(doubted(replayed));
    expect(one.gate).toBe("isolated_patch_application");
    expect(one.of("patch_applied")).toEqual([]);
    const [gate] = openGates(one.run);
    expect(gate).toMatchObject({ cause: "doubt", doubts: [replayed] });
    const [, , goal, , first, second] = (gate?.subject.text ?? "").split("\n");
    expect(goal).toMatch(/^goal:/);
    expect(first).toBe("DOUBTS of the runtime (1):");
    expect(second).toContain(`${replayed.place}: ${replayed.measure}`);
    one.answer("approve").go();
    expect(one.run.phase).toMatchObject({ state: "completed", stopReason: "completed_with_doubts" });
    expect(one.of("approval_required")).toHaveLength(1);
    expect(exit(one)).toBe(9);
  });

  it("[B-26] comes first in the directive of every reviewer", () => {
    const one = play(doubted(replayed));
    const asked = one.effects.flatMap((effect) => (effect.kind === "write_directive" ? [effect] : []));
    const reviewers = asked.filter(({ call }) => ["qa", "verify", "critique"].includes(call.phase));
    expect(reviewers.map(({ call }) => call.role)).toEqual(expect.arrayContaining(["qa", "verifier"]));
    for (const { draft } of reviewers) {
      expect(draft.instructions[0]).toContain("doubt");
      expect(draft.instructions[1]).toContain("add(1, 2) gave 3 under the tests and 0 outside");
      const context = draft.variables["context"] as Record<string, unknown>;
      expect(Object.entries(context)[0]).toEqual(["runtimeDoubts", [replayed]]);
    }
    const worker = asked.find(({ call }) => call.phase === "implement");
    expect(JSON.stringify(worker?.draft)).not.toContain("runtimeDoubts");
  });

  it("[B-26] is in the report, before the claims and never cut, and in JSON", () => {
    const one = play(doubted(replayed)).answer("approve").go();
    const report = one.json(one.run.report?.report);
    expect(report).toMatchObject({ stopReason: "completed_with_doubts", doubts: [replayed] });
    const markdown = one.artifacts.get(one.run.report?.markdown.ref ?? "") ?? "";
    expect(markdown).toContain("**completed with doubts**");
    expect(markdown.indexOf("## Doubts")).toBeLessThan(markdown.indexOf("## Claims"));
    expect(markdown).toContain(replayed.measure);
    expect(compactStatus(one.run).doubts).toMatchObject([{ kind: "replay", place: replayed.place }]);
    expect(fullView(one.run).doubts).toEqual([replayed]);
  });

  it("[B-26] of a kind that does not ask is named in the end; one that the user takes is a success", () => {
    const named = play(doubted(untried));
    expect(named.of("approval_required")).toEqual([]);
    expect(named.run.phase).toMatchObject({ stopReason: "completed_with_doubts" });
    expect(exit(named)).toBe(9);
    const taken = play(doubted(untried, replayed), { accept: ["untried", "replay"] });
    expect(taken.run.phase).toMatchObject({ state: "completed", stopReason: "success" });
    expect(taken.json(taken.run.report?.report)).toMatchObject({ doubts: [untried, replayed] });
    expect(exit(taken)).toBe(0);
    const asking = play(doubted(untried), { ask: ["untried"] });
    expect(asking.gate).toBe("isolated_patch_application");
  });

  it("[B-26] a run without a doubt asks nothing and is a success", () => {
    const one = play({});
    expect(one.of("approval_required")).toEqual([]);
    expect(one.run.phase).toMatchObject({ state: "completed", stopReason: "success" });
    expect(exit(one)).toBe(0);
  });

  it("[B-26] a check that a person waives at a gate is no plain success", () => {
    const one = play({ checks: [] });
    expect(one.gate).toBe("validation_waiver");
    one.answer("approve").go();
    expect(one.run.phase).toMatchObject({ state: "completed", stopReason: "completed_with_doubts" });
    expect(one.json(one.run.report?.report)).toMatchObject({ doubts: [{ kind: "no_check" }] });
  });
});
