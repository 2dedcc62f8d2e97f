import { describe, expect, it } from "vitest";
import type { RecordedCall } from "./calls.ts";
import type { End } from "./ends.ts";
import { chooseCalls, isWhole, readRecorded, withTestVariables } from "./calls.ts";
import { asksInside, type Compared, farDifferences, isSilent, outcomeOf, stopText } from "./judge.ts";
import { needsDoubts, runnerDoubts } from "./summary.ts";
import { endKey } from "./ends.ts";
import { slowDoubts } from "./forms.ts";
import { isMissing, readPlayed } from "./played.ts";

const call: RecordedCall = { m: "a.js", f: "add", a: [1, 2], end: { r: 3 } };
const ended = (end: End, varies = false) => ({ end, varies });
const compared = (near: End, more: Partial<Compared> = {}): Compared => ({
  i: 0,
  call,
  near: ended(near),
  other: ended(near),
  base: undefined,
  ...more,
});
const outcome = (one: Compared, inside?: End) => outcomeOf(one, inside && ended(inside), []);

describe("[B-25] the result of a call outside of the tests", () => {
  it("stops the work where the base commit gives what was recorded, or the runner alone does", () => {
    expect(outcome(compared({ r: 2 }, { base: ended({ r: 3 }) }))).toBe("outside");
    expect(outcome(compared({ r: 2 }), { r: 3 })).toBe("outside");
    expect(outcome(compared({ t: null }, { base: ended({ r: 3 }) }))).toBe("outside");
  });

  it("stops work that cannot be loaded outside, where the base commit can", () => {
    const one = compared({ r: 0 }, { near: undefined, failed: "Error: no runner", base: ended({ r: 3 }) });
    expect(outcome(one)).toBe("outside");
    expect(stopText(one, [])).toContain("gives 3 under the tests and nothing (Error: no runner) in a plain process");
    expect(outcome({ ...one, base: undefined })).toBe("lost");
    expect(isSilent({ ...one, failed: undefined }, [])).toBe(true);
    expect(isSilent(one, [])).toBe(false);
  });

  it.each([
    ["far longer than a time too short to be reported", 60, undefined, 1],
    ["far longer", 620, 60, 1],
    ["about as long, on both sides of what is slow", 51, 49, 0],
    ["longer, but not ten times", 300, 40, 0],
    ["ten times a time that nobody feels", 45, undefined, 0],
  ])("time: %s", (_, near, base, doubts) => {
    const took = (ms: number | undefined) => ({ ...ended({ r: 3 }), ...(ms === undefined ? {} : { ms }) });
    const all = [compared({ r: 3 }, { near: took(near), base: took(base) })];
    expect(slowDoubts(all, ["same"])).toHaveLength(doubts);
    // One call that is as fast as ever shows that the work itself is not slow.
    const fast = compared({ r: 3 }, { near: took(undefined), base: took(undefined) });
    expect(slowDoubts([...all, fast], ["same", "same"])).toEqual([]);
  });

  it("stops work that is unsteady only outside, where the base commit is steady", () => {
    expect(outcome(compared({ r: 2 }, { near: ended({ r: 3 }, true), base: ended({ r: 3 }) }))).toBe("outside");
  });

  it("does not stop what is the same, needs what a test set up, or differs each time", () => {
    expect(outcome(compared({ r: 3 }))).toBe("same");
    expect(outcome(compared({ r: 2 }), { r: 2 })).toBe("set_up");
    expect(outcome(compared({ r: 2 }, { base: ended({ r: 2 }) }), { r: 2 })).toBe("set_up");
    expect(outcome(compared({ r: 2 }, { other: ended({ r: 4 }) }), { r: 5 })).toBe("unsteady");
    expect(outcome(compared({ r: 2 }, { near: ended({ r: 3 }, true) }))).toBe("unsteady");
    expect(outcome(compared({ r: 2 }, { near: undefined }))).toBe("lost");
  });

  it("stops a new function that is unsteady only outside, and doubts one that lacks something only outside", () => {
    expect(outcome(compared({ r: 2 }, { near: ended({ r: 3 }, true) }), { r: 3 })).toBe("outside");
    const missing: End = { t: { $: "error", v: ["Error", "ENOENT: no such file"] } };
    const one = compared(missing);
    expect(outcome(one, { r: 3 })).toBe("runner_only");
    expect(outcome(one, missing)).toBe("set_up");
    expect(outcome(compared(missing, { base: ended(missing) }), { r: 3 })).toBe("set_up");
    const found = runnerDoubts([one], ["runner_only"], new Set(), []);
    expect(found).toMatchObject([{ kind: "replay", place: "add in a.js" }]);
    expect(found[0]?.measure).toContain("in the tests' runner it gives the recorded result");
  });

  it("doubts a new file that cannot be loaded outside, where those of the base commit can", () => {
    const one = compared({ r: 0 }, { near: undefined });
    const lacking = (why: string, before: readonly string[] = []) =>
      runnerDoubts([one], ["lost"], new Set(before), [{ file: "a.js", why }]);
    expect(lacking("Error: not ready")).toMatchObject([
      { place: "a.js", measure: expect.stringContaining("not ready") },
    ]);
    expect(lacking("Error: not ready", ["a.js"])).toEqual([]);
    expect(lacking("Error: Cannot find package '@/x' imported from a.js")).toEqual([]);
  });

  it("stops another text of an error, another order of keys and other output, where the base commit has none", () => {
    const error = (text: string): End => ({ t: { $: "error", v: ["Error", text] } });
    const details: readonly (readonly [End, End])[] = [
      [error("no age: x"), error("no")],
      [{ r: { name: "a", sum: 1 } }, { r: { sum: 1, name: "a" } }],
      [
        { r: null, w: [["log", ["1.00"]]] },
        { r: null, w: [["log", ["1"]]] },
      ],
    ];
    for (const [under, outside] of details) {
      const one = { i: 0, call: { ...call, end: under }, near: { end: outside, varies: false }, other: undefined };
      const base = { end: under, varies: false };
      expect(outcomeOf({ ...one, base }, undefined, [])).toBe("outside");
      expect(asksInside({ ...one, base }, [])).toBe(true);
      expect(outcomeOf({ ...one, base }, { end: outside, varies: false }, [])).toBe("needs");
      expect(outcomeOf({ ...one, base }, { end: under, varies: false }, [])).toBe("outside");
      // Nothing shows that the work makes the difference.
      expect(outcomeOf({ ...one, base: undefined }, undefined, [])).toBe("same");
      expect(outcomeOf({ ...one, base: { end: outside, varies: false } }, undefined, [])).toBe("same");
    }
  });

  it("asks inside the runner only where nothing else decides", () => {
    expect(asksInside(compared({ r: 2 }), [])).toBe(true);
    expect(asksInside(compared({ r: 3 }), [])).toBe(false);
    expect(asksInside(compared({ r: 2 }, { base: ended({ r: 3 }) }), [])).toBe(true);
    expect(asksInside(compared({ r: 3 }, { near: ended({ r: 3 }, true) }), [])).toBe(true);
    const missing: End = { t: { $: "error", v: ["Error", "ENOENT: no such file"] } };
    expect(asksInside(compared(missing), [])).toBe(true);
    expect(asksInside(compared(missing, { base: ended(missing) }), [])).toBe(false);
  });

  it("does not stop work that needs what its tests set up, in the runner as outside", () => {
    const one = compared({ r: 2 }, { base: ended({ r: 3 }) });
    expect(outcomeOf(one, undefined, [])).toBe("outside");
    expect(outcomeOf(one, ended({ r: 3 }), [])).toBe("outside");
    expect(outcomeOf(one, ended({ r: 5 }), [])).toBe("outside");
    expect(outcomeOf(one, ended({ r: 2 }, true), [])).toBe("outside");
    expect(outcomeOf(one, ended({ r: 2 }), [])).toBe("needs");
    expect(needsDoubts([one], ["needs"], [])).toMatchObject([
      { kind: "replay", measure: expect.stringMatching(/; it needs what the tests set up before$/) },
    ]);
    expect(needsDoubts([one], ["set_up"], [])).toEqual([]);
  });

  it("is named with the call, the function and both results", () => {
    expect(stopText(compared({ r: 2 }, { base: ended({ r: 3 }) }), [])).toBe(
      "add(1, 2) of a.js gives 3 under the tests and 2 in a plain process without them; on the base commit it gives 3 there too",
    );
  });

  it("does not count colours and folders as a part of it", () => {
    expect(endKey({ r: "\u001b[31m/a/b/x\u001b[0m" }, ["/a/b"])).toBe(endKey({ r: "/c/x" }, ["/c"]));
    expect(isMissing({ t: { $: "error", v: ["FileNotFoundError", "x"] } })).toBe(true);
    expect(isMissing({ t: { $: "error", v: ["KeyError", "x"] } })).toBe(false);
  });
});

describe("[B-25] a difference far away", () => {
  const played = (r: number, base?: number) => ({
    work: readPlayed(`{"p":"clock","i":0,"r":${r}}\n`),
    base: readPlayed(base === undefined ? "" : `{"p":"clock","i":0,"r":${base}}\n`),
  });
  const find = (r: number, base?: number, hard = true) =>
    farDifferences({
      ...played(r, base),
      calls: [{ i: 0, call }],
      turns: [{ label: "clock", where: "later", hard }],
      folders: [],
    });
  it("stops only where the base commit has none", () => {
    expect(find(3)).toEqual([]);
    expect(find(2, 3)).toMatchObject([{ where: "later", hard: true }]);
    expect(find(2, 2)).toMatchObject([{ hard: false }]);
    expect(find(2)).toMatchObject([{ hard: false }]);
    expect(find(2, 3, false)).toMatchObject([{ hard: false }]);
  });
});

describe("[B-25] recorded calls", () => {
  it("are read from lines that nobody vouches for", () => {
    const text = [
      '{"m":"a.js","program":"/usr/bin/node"}',
      '{"m":"a.js","f":"add","known":true}',
      '{"m":"a.js","f":"add","a":[1,2],"r":3}',
      '{"m":"a.js","f":"add","a":[{"$":"lost","v":"function"}],"r":3}',
      '{"m":"a.js","f":"add","a":[1]}',
      '{"m":"other.js","f":"add","a":[1],"r":1}',
      "{ no JSON",
      '{"m":"a.js","f":"more","known":true}',
    ].join("\n");
    const { modules, known, calls, lost } = readRecorded(text, ["a.js"]);
    expect(modules).toEqual([{ file: "a.js", program: "/usr/bin/node", paths: [] }]);
    expect([...known]).toEqual(["a.js add", "a.js more"]);
    expect(calls).toEqual([call]);
    expect([...lost]).toEqual([["a.js add", 2]]);
    expect(isWhole({ a: [{ $: "instance", v: [] }] })).toBe(false);
  });

  it("are chosen once each, bounded, without those that differ already under the tests", () => {
    const twice = chooseCalls([call, call, { ...call, a: [5], end: { r: 1 } }, { ...call, a: [5], end: { r: 2 } }]);
    expect(twice).toMatchObject({ calls: [call], unsteady: 1, left: 0 });
    expect(twice.various).toMatchObject([{ a: [5], ends: [{ r: 1 }, { r: 2 }] }]);
    const many = chooseCalls(Array.from({ length: 200 }, (_, at) => ({ ...call, a: [at] })));
    expect(many).toMatchObject({ left: 80 });
    expect(many.calls.map(({ a }) => a[0])).toEqual([
      ...Array(60).keys(),
      ...[...Array(60).keys()].map((at) => at + 140),
    ]);
  });

  it("are taken from each of many functions", () => {
    const functions = Array.from({ length: 100 }, (_, at) => `f${at}`);
    const all = functions.flatMap((f) => Array.from({ length: 9 }, (_, at) => ({ ...call, f, a: [at] })));
    const { calls, left } = chooseCalls(all);
    expect(new Set(calls.map(({ f }) => f)).size).toBe(100);
    expect(calls.length + left).toBe(900);
    expect(calls.length).toBeGreaterThan(200);
    expect(calls.length).toBeLessThanOrEqual(240);
  });

  it("carry the variables that a test names, and none of a runner", () => {
    const set = { ...call, e: { PORT: "90", PYTEST_CURRENT_TEST: "x", LANGUAGE: "de" } };
    expect(withTestVariables(set, (name) => name !== "LANGUAGE").e).toEqual({ PORT: "90" });
    expect(withTestVariables(set, () => false)).not.toHaveProperty("e");
  });

  it("count by the first report of a player", () => {
    const played = readPlayed(
      '{"p":"a","i":0,"r":1}\n{"p":"a","i":0,"r":2}\n{"p":"a","i":1,"r":1,"after":9}\n{"p":"a","done":true}\n',
    );
    expect(played.get("a")?.ends.get(0)).toEqual({ end: { r: 1 }, varies: false });
    expect(played.get("a")?.turned.get(1)).toEqual({ end: { r: 1 }, after: 9 });
    expect(played.get("a")?.done).toBe(true);
  });
});
