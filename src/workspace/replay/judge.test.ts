import { describe, expect, it } from "vitest";
import type { End, RecordedCall } from "./calls.ts";
import { chooseCalls, isWhole, readRecorded, withTestVariables } from "./calls.ts";
import { asksInside, type Compared, farDifferences, isSilent, outcomeOf, stopText } from "./judge.ts";
import { endKey, isMissing, readPlayed } from "./played.ts";

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

  it("asks inside the runner only where nothing else decides", () => {
    expect(asksInside(compared({ r: 2 }), [])).toBe(true);
    expect(asksInside(compared({ r: 3 }), [])).toBe(false);
    expect(asksInside(compared({ r: 2 }, { base: ended({ r: 3 }) }), [])).toBe(false);
    expect(asksInside(compared({ t: { $: "error", v: ["Error", "ENOENT: no such file"] } }), [])).toBe(false);
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
    const many = chooseCalls(Array.from({ length: 100 }, (_, at) => ({ ...call, a: [at] })));
    expect(many).toMatchObject({ left: 60 });
    expect(many.calls.map(({ a }) => a[0])).toEqual([
      ...Array(20).keys(),
      ...[...Array(20).keys()].map((at) => at + 80),
    ]);
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
