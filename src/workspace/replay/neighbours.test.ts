import { describe, expect, it } from "vitest";
import type { RecordedCall } from "./calls.ts";
import type { End, Value } from "./ends.ts";
import { judgeNeighbours, type TriedNeighbour } from "./neighbour-doubts.ts";
import { type Neighbour, neighboursOf } from "./neighbours.ts";
import { namedIn } from "./named.ts";
import { showEnd } from "./show.ts";

const call = (a: readonly Value[], r: Value): RecordedCall => ({ m: "a.js", f: "f", a, end: { r } });
const args = (all: readonly Neighbour[]) => all.filter(({ odd }) => !odd).map(({ a }) => JSON.stringify(a));
const odd = (all: readonly Neighbour[]) => all.filter((one) => one.odd).map(({ a }) => JSON.stringify(a));

describe("[B-25] neighbours of recorded calls", () => {
  it("are numbers one off and far away, longer and shorter texts, other orders and other keys", () => {
    expect(args(neighboursOf([call([3], 9)]))).toEqual(["[4]", "[2]", "[3007]"]);
    expect(args(neighboursOf([call(["abc"], 1)]))).toEqual(['["abcc"]', '["ab"]', '["cba"]']);
    expect(args(neighboursOf([call([[1, 2]], 1)]))).toEqual([
      "[[1]]",
      "[[2,1]]",
      "[[2,2]]",
      "[[1007,2]]",
      "[[1,2007]]",
    ]);
    expect(args(neighboursOf([call([{ n: 1, s: "a" }], 1)]))).toEqual([
      '[{"n":2,"s":"a"}]',
      '[{"n":1,"s":"aa"}]',
      '[{"n":1007,"s":"a"}]',
    ]);
    expect(args(neighboursOf([call([1, 5], 6)]))).toContain("[5,1]");
    expect(args(neighboursOf([call([{ $: "tuple", v: [1, 2] }], 3)]))).toContain('[{"$":"tuple","v":[2,1]}]');
  });

  it("are values deep inside of an argument, all numbers at once, and other numbers inside of a text", () => {
    const order = { items: [{ price: 10, quantity: 2 }], to: { name: "ann" } };
    const near = args(neighboursOf([call([order], 20)]));
    expect(near).toContain(JSON.stringify([{ ...order, items: [{ price: 10, quantity: 2_007 }] }]));
    expect(near).toContain(JSON.stringify([{ ...order, to: { name: "nna" } }]));
    expect(args(neighboursOf([call([1, 2], 3)]))).toContain("[1007,2007]");
    const named = odd(neighboursOf([call([1, 2], 3)], () => ({ numbers: [50], texts: [] })));
    for (const one of ["[50,2]", "[51,2]", "[50,50]", "[51,51]"]) expect(named).toContain(one);
    const dates = odd(neighboursOf([call(["2024-01-15"], 1)]));
    for (const one of ["2024-08-15", "2024-01-22", "2031-01-15"]) expect(dates).toContain(JSON.stringify([one]));
    expect(odd(neighboursOf([call(["1.2"], 1)]))).toContain('["1.9"]');
  });

  it("are numbers however the source writes them", () => {
    const after = "const f = (n) => n > 1_000_000 || n === 0xff || n < 1e3 || n > 2.5;\n";
    expect(namedIn({ path: "a.js", before: null, after }).numbers).toEqual([1_000_000, 255, 1_000, 2.5]);
  });

  it("are the keys of a table that the source holds", () => {
    const after = "const rates = { AT: 0.2, CH: 0.9 };\nexport const f = (c) => rates[c] ?? 'none';\n";
    expect(namedIn({ path: "a.js", before: null, after }).texts).toEqual(["none", "AT", "CH"]);
  });

  it("are no recorded calls, none of calls that throw, and not without end", () => {
    expect(args(neighboursOf([call([3], 9), call([4], 16)]))).not.toContain("[4]");
    expect(neighboursOf([{ ...call([3], 0), end: { t: null } }])).toEqual([]);
    const many = Array.from({ length: 200 }, (_, at) => call([at * 10], at));
    expect(args(neighboursOf(many))).toHaveLength(60);
    expect(odd(neighboursOf(many))).toHaveLength(90);
  });

  it("are also what code forgets: parts, zero, signs, letters of other languages, long lists, the other truth value, the next day", () => {
    const all = odd(neighboursOf([call([3], 9)]));
    expect(all).toEqual(["[3.5]", "[0]", "[-3]", "[]", "[3,true]", "[3,2]", '[3,"a"]']);
    expect(odd(neighboursOf([call(["a"], 1)]))).toEqual([
      '["../a"]',
      '["a Größe 😀"]',
      JSON.stringify([`a'"a`]),
      JSON.stringify(["a\ta\na"]),
      '["a "]',
      '["A"]',
      JSON.stringify([`a `.repeat(60)]),
      "[]",
      '["a",true]',
      '["a",2]',
      '["a","a"]',
    ]);
    expect(odd(neighboursOf([call(["ab"], 1)]))).toContain('[""]');
    expect(odd(neighboursOf([call([true], 1)]))).toContain("[false]");
    expect(odd(neighboursOf([call(["ab", 3], 1)]))).toContain(JSON.stringify([`ab `.repeat(40)]));
    expect(
      neighboursOf([call([[1, 2]], 3)]).map(({ a: [list] }) => (list as readonly Value[] | undefined)?.length),
    ).toEqual([1, 2, 2, 2, 2, 20, 150, 0, 2, 2, 2, 2, 2, 2, undefined, 2, 2, 2]);
    const day = 86_400_000;
    expect(args(neighboursOf([call([{ $: "date", v: 5 * day }], 1)]))).toEqual([
      `[{"$":"date","v":${6 * day}}]`,
      `[{"$":"date","v":${4 * day}}]`,
    ]);
    expect(args(neighboursOf([call([{ $: "date", v: "2024-02-28" }], 1)]))).toContain(
      '[{"$":"date","v":"2024-02-29"}]',
    );
  });

  it("are objects with a field that the source names, or without one of theirs, and calls with an argument more", () => {
    const { fields = [] } = namedIn({
      path: "a.js",
      before: null,
      after: "const f = (list, { word, exact = false }) => list.filter((one) => one.name === word && exact);\n",
    });
    expect(fields).toEqual(["word", "exact", "name"]);
    const near = neighboursOf([call([{ word: "b" }], 1)], () => ({
      numbers: [],
      texts: [],
      fields: ["word", "exact"],
    }));
    expect(near.filter(({ field }) => field).map(({ a, field }) => [JSON.stringify(a), field])).toEqual([
      ['[{"word":"b","exact":true}]', "exact"],
      ['[{"word":"b","exact":2}]', "exact"],
      ['[{"word":"b","exact":"a"}]', "exact"],
      ["[{}]", "word"],
    ]);
    expect(near.filter(({ more }) => more).map(({ a }) => a[1])).toEqual([true, 2, "a"]);
  });

  it("are named values and forgotten ones in the fields of an argument, and other bytes", () => {
    const user = { name: "Ann", in: { country: "AT", active: true } };
    const all = odd(neighboursOf([call([user], 1)], () => ({ numbers: [], texts: ["CH"] })));
    for (const within of [{ country: "CH" }, { active: false }, { country: "AT Größe 😀" }])
      expect(all).toContain(JSON.stringify([{ ...user, in: { ...user.in, ...within } }]));
    expect(args(neighboursOf([call([{ $: "bytes", v: ["Uint8Array", [1, 2, 3]] }], 1)]))).toEqual([
      '[{"$":"bytes","v":["Uint8Array",[2,2,3]]}]',
      '[{"$":"bytes","v":["Uint8Array",[1,2,3,65]]}]',
      '[{"$":"bytes","v":["Uint8Array",[1,2]]}]',
      '[{"$":"bytes","v":["Uint8Array",[3,2,1]]}]',
    ]);
    expect(args(neighboursOf([call([{ $: "binary", v: "YWI=" }], 1)]))).toContain('[{"$":"binary","v":"YWJB"}]');
    expect(args(neighboursOf([call([{ $: "int", v: "9007199254740993" }], 1)]))).toContain(
      '[{"$":"int","v":"9007199254740994"}]',
    );
  });

  it("are calls of an object that is made of other values, and none where both commits make it differently", () => {
    const of = { s: { all: [1] }, made: { c: [[1]], h: [] } };
    const recorded = { ...call([], 1), o: of };
    const near = neighboursOf([recorded]);
    expect(near.find(({ made }) => made === "same")?.o).toEqual({ c: [[1]], h: [] });
    expect(near.filter(({ made }) => made === "other").map(({ o }) => o && "c" in o && o.c)).toContainEqual([[2]]);
    const judged = (isSame: boolean) =>
      judgeNeighbours(
        [{ call: recorded, base: { r: 1 } }],
        near.map((one): TriedNeighbour => ({
          call: one,
          work: { r: one.made === "same" ? 1 : 5 },
          base: { r: one.made === "same" && isSame ? 1 : 7 },
        })),
        showEnd,
      );
    expect(judged(true)?.measure).toMatch(/neighbours .* did: of an object made with \(\[/);
    expect(judged(false)).toBeNull();
  });

  it("are named arguments, and the arguments of the call that gave what is called", () => {
    const named = neighboursOf([{ ...call([], 1), k: { by: 3 } }]).filter(({ odd: isOdd }) => !isOdd);
    expect(named.map(({ k }) => k)).toEqual([{ by: 4 }, { by: 2 }, { by: 3_007 }]);
    const given = neighboursOf([{ ...call([], 1), f: "f()", o: { y: { f: "f", a: [3] }, h: [] } }]);
    expect(given.filter(({ odd: isOdd }) => !isOdd).map(({ o }) => o)).toEqual(
      [4, 2, 3_007].map((one) => ({ y: { f: "f", a: [one] }, h: [] })),
    );
  });

  it("are the values that the changed source names, of either tree, and not the modules that it loads", () => {
    const named = namedIn({
      path: "a.js",
      before: "import x from 'left';\nconst of = (k) => (k === 'silver' ? 3 : k === 'gold' ? 5 : 0);\n",
      after: "import x from 'left';\nconst of = (k) => (k === 'gold' ? 5 : 0);\n",
    });
    expect(named).toEqual({ numbers: [3, 5, 0], texts: ["silver", "gold"], fields: [] });
    const found = neighboursOf([call(["gold"], 5)], () => named).filter((one) => one.named);
    expect(found.map(({ a }) => a[0])).toEqual(["silver"]);
  });
});

const tried = (
  work: (n: number) => End,
  base?: (n: number) => End,
  near: Neighbour["near"] = "number",
): TriedNeighbour[] =>
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

  it("is a table where nearly all give back the text that they were given", () => {
    const words = ["city", "box", "cat"];
    const table = words.map((one) => ({ call: call([one], `${one}!`), base: undefined }));
    const tried = neighboursOf(table.map((one) => one.call)).map((one): TriedNeighbour => ({
      call: one,
      work: { r: one.a[0] ?? null },
      base: undefined,
    }));
    expect(judgeNeighbours(table, tried, showEnd)?.measure).toContain("give their own argument, such as");
    const more = [...table, { call: call(["more"], "more"), base: undefined }];
    expect(judgeNeighbours(more, tried, showEnd)).toBeNull();
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

  it("is a change that no test sees where one named value differs, and none where both refuse a value that no test uses", () => {
    const one = (work: End, base: End, more: Partial<Neighbour>) => {
      const [first, ...rest] = tried(
        () => base,
        () => base,
      );
      return first ? [{ ...first, call: { ...first.call, ...more }, work }, ...rest] : [];
    };
    const error = (name: string): End => ({ t: { $: "error", v: [name, "x"] } });
    expect(judge(recorded(asBefore), one({ r: 0 }, { r: 3 }, { odd: true, named: true }))?.measure).toContain(
      "gives 0, before 3",
    );
    expect(judge(recorded(asBefore), one({ r: 0 }, { r: 3 }, { odd: true }))).toBe(null);
    const refused = tried(
      () => error("TypeError"),
      () => error("RangeError"),
    ).map((each) => ({ ...each, call: { ...each.call, odd: true as const } }));
    expect(judge(recorded(asBefore), refused)).toBe(null);
  });

  it("is no change that no test sees where a test gives the argument, or sets the field", () => {
    const less = call([1], 3);
    const more = (a: readonly Value[], rest: Partial<Neighbour>): TriedNeighbour[] =>
      Array.from({ length: 6 }, (_, n) => ({
        call: { m: "a.js", f: "f", a: [...a, n % 2 === 0 ? true : "a"], near: "other", odd: true, ...rest },
        work: { r: n },
        base: { r: 3 },
      }));
    const same = { call: less, base: less.end };
    const seen = (a: readonly Value[]) => ({ call: call(a, 4), base: { r: 3 } as End });
    expect(judge([same], more([1], { more: true }))?.measure).toContain("5 of 6 neighbours");
    expect(judge([same, seen([1, 5])], more([1], { more: true }))).toBe(null);
    const fields = Array.from({ length: 6 }, (_, n): TriedNeighbour => ({
      call: { m: "a.js", f: "f", a: [{ exact: n, word: "b" }], near: "other", odd: true, field: "exact" },
      work: { r: n },
      base: { r: 3 },
    }));
    expect(judge([same], fields)?.measure).toContain("neighbours");
    // A change for the recorded arguments is one for those with another beside them.
    expect(judge([same, seen([2])], more([1], { more: true, from: [1] }))).toBe(null);
    expect(judge([same, seen(["a"])], more([1], { more: true, from: [1] }))?.measure).toContain("of their kind");
    expect(judge([same, seen([{ exact: true, limit: 3 }])], fields)).toBe(null);
  });

  it("is a change that no test sees where only calls of another kind changed under the tests", () => {
    const changed = tried(
      (n) => ({ r: n * n + n }),
      (n) => ({ r: n * n }),
    );
    const text = { call: call(["1"], 3), base: { r: "12" } };
    expect(judge([...recorded(asBefore), text], changed)?.measure).toContain(
      "no recorded call of their kind (3) changed",
    );
    expect(judge([...recorded(asBefore), { call: call([7], 3), base: { r: 8 } }], changed)).toBe(null);
  });
});
