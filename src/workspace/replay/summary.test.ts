import { describe, expect, it } from "vitest";
import type { RecordedCall } from "./calls.ts";
import type { End } from "./ends.ts";
import { countsOf, withExports, withOutcomes } from "./summary.ts";

const call = (end: End): RecordedCall => ({ m: "a.js", f: "make", a: [1], end });
const compared = (end: End) => ({ i: 0, call: call(end), near: undefined, base: undefined, other: undefined });

describe("[B-25] the counts of a replay", () => {
  it("count a result that cannot be written down as a whole as lost, and no call twice", () => {
    const all = [
      compared({ r: 2 }),
      compared({ r: { act: { $: "lost", v: "function" } } }),
      compared({ t: { $: "error", v: ["Error", "no"] } }),
    ];
    const recorded = {
      modules: [],
      known: new Set(["a.js make", "a.js Cart.add"]),
      calls: [],
      lost: new Map(),
      broken: false,
    };
    const counts = countsOf({ recorded, calls: all.map((one) => one.call), unsteady: 0 });
    expect(withOutcomes(counts, ["same", "same", "set_up"], all)).toMatchObject({
      recorded: 3,
      same: 1,
      lost: 1,
      setUp: 1,
      unrecorded: ["a.js Cart.add"],
    });
  });

  it("name what a module exports and no recorder was put around", () => {
    const known = new Set(["a.js add", "a.js new Cart", "a.js Box.of", "b.js sub"]);
    const counts = countsOf({
      recorded: { modules: [], known, calls: [], lost: new Map(), broken: false },
      calls: [],
      unsteady: 0,
    });
    const exports = new Map([
      ["a.js", ["add", "Cart", "Box", "late", "default"]],
      ["c.js", ["default"]],
    ]);
    const found = withExports(counts, known, exports);
    expect(found.functions).toBe(6);
    expect(found.unrecorded.slice(4)).toEqual(["a.js late", "c.js default"]);
    expect(withExports(counts, known, undefined)).toEqual(counts);
  });
});
