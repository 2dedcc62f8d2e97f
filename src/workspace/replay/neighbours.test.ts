import { describe, expect, it } from "vitest";
import type { End, RecordedCall, Value } from "./calls.ts";
import { judgeNeighbours, type Neighbour, neighboursOf } from "./neighbours.ts";
import { showEnd } from "./show.ts";

const call = (a: readonly Value[], r: Value): RecordedCall => ({ m: "a.js", f: "f", a, end: { r } });
const args = (all: readonly Neighbour[]) => all.map(({ a }) => JSON.stringify(a));

describe("[B-25] neighbours of recorded calls", () => {
  it("are numbers one off and far away, longer and shorter texts, other orders and other keys", () => {
    expect(args(neighboursOf([call([3], 9)]))).toEqual(["[4]", "[2]", "[3007]"]);
    expect(args(neighboursOf([call(["abc"], 1)]))).toEqual(['["abcc"]', '["ab"]', '["cba"]']);
    expect(args(neighboursOf([call([[1, 2]], 1)]))).toEqual(["[[1]]", "[[2,1]]", "[[2,2]]"]);
    expect(args(neighboursOf([call([{ n: 1, s: "a" }], 1)]))).toEqual(['[{"n":2,"s":"a"}]', '[{"n":1,"s":"aa"}]']);
    expect(args(neighboursOf([call([1, 5], 6)]))).toContain("[5,1]");
    expect(args(neighboursOf([call([{ $: "tuple", v: [1, 2] }], 3)]))).toContain('[{"$":"tuple","v":[2,1]}]');
  });

  it("are no recorded calls, none of calls that throw, and not without end", () => {
    expect(args(neighboursOf([call([3], 9), call([4], 16)]))).not.toContain("[4]");
    expect(neighboursOf([{ ...call([3], 0), end: { t: null } }])).toEqual([]);
    const many = Array.from({ length: 200 }, (_, at) => call([at * 10], at));
    expect(neighboursOf(many)).toHaveLength(60);
  });
});

const tried = (work: (n: number) => End, base?: (n: number) => End, near: Neighbour["near"] = "number") =>
  Array.from({ length: 10 }, (_, n) => ({
    call: { m: "a.js", f: "f", a: [n], near },
    work: work(n),
    base: base?.(n),
  }));
const recorded = (base?: (call: RecordedCall) => End) =>
  [call([100], 3), call([200], -3)].map((one) => ({ call: one, base: base?.(one) }));
const asBefore = (one: RecordedCall): End => one.end;
const judge = (...given: [ReturnType<typeof recorded>, ReturnType<typeof tried>]) => judgeNeighbours(...given, showEnd);

describe("[B-25] what neighbours show", () => {
  it("is a table where nearly all give one value that no recorded call gives", () => {
    expect(
      judge(
        recorded(),
        tried((n) => ({ r: n < 8 ? 0 : n })),
      ),
    ).toMatchObject({
      f: "f",
      measure: "2 recorded calls give 2 results, and 8 of 10 neighbours (calls with values near theirs) give 0",
    });
    expect(
      judge(
        recorded(),
        tried(() => ({ t: { $: "error", v: ["KeyError", "x"] } })),
      )?.measure,
    ).toContain("10 of 10 neighbours (calls with values near theirs) give the error KeyError: x");
  });

  it("is nothing where a test asks for the default, where they differ, where there are few, or where the base does the same", () => {
    const zero = () => ({ r: 0 });
    expect(judge([...recorded(), { call: call([7], 0), base: undefined }], tried(zero))).toBe(null);
    expect(
      judge(
        recorded(),
        tried((n) => ({ r: n })),
      ),
    ).toBe(null);
    expect(judge(recorded(), tried(zero).slice(0, 5))).toBe(null);
    expect(judge(recorded().slice(0, 1), tried(zero))).toBe(null);
    expect(judge(recorded(asBefore), tried(zero, zero))).toBe(null);
  });

  it("is nothing where text that is a little wrong is refused", () => {
    expect(
      judge(
        recorded(),
        tried(() => ({ t: { $: "error", v: ["SyntaxError", "x"] } }), undefined, "text"),
      ),
    ).toBe(null);
  });

  it("is a change that no test sees where only neighbours differ from the base", () => {
    const changed = tried(
      (n) => ({ r: n * n + n }),
      (n) => ({ r: n * n }),
    );
    expect(judge(recorded(asBefore), changed)?.measure).toBe(
      "no recorded call (2) changed against the base commit, and 9 of 10 neighbours (calls with values near theirs) did: 1 gives 2, before 1",
    );
    expect(
      judge(
        recorded(() => ({ r: 5 })),
        changed,
      ),
      "a test sees the change",
    ).toBe(null);
    expect(
      judge(
        recorded(asBefore),
        tried(
          (n) => ({ r: n }),
          (n) => ({ r: n }),
        ),
      ),
    ).toBe(null);
  });
});
