import { describe, expect, it } from "vitest";
import { type ControlInput, controlBudget, controlCheck, type RanCheck } from "./control.ts";
import type { Sabotage } from "./plan.ts";
import type { PlantedFile } from "./plant.ts";

const sabotage = (what: string, comparable = true): Sabotage => ({
  what,
  edits: [{ path: "a", text: what }],
  onBase: comparable ? [{ path: "a", text: what }] : null,
  reach: !comparable,
});
const inFile = (...tries: readonly Sabotage[]): PlantedFile => ({ path: "a.test", owns: () => false, tries });
const failed: RanCheck = { result: "failed", testsRun: 2 };
const passed: RanCheck = { result: "passed", testsRun: 2 };

/** Each run takes 100 ms of a clock that only runs here. */
function control(notices: { work: readonly string[]; base: readonly string[] }, more: Partial<ControlInput> = {}) {
  const ran: string[] = [];
  let time = 0;
  const input: ControlInput = {
    planted: [inFile(sabotage("canary"))],
    sabotages: [sabotage("one"), sabotage("two", false)],
    budgetMs: 1_000,
    testsRun: 2,
    run(where, [edit]) {
      time += 100;
      const what = edit?.text ?? "";
      ran.push(`${where} ${what}`);
      return Promise.resolve(notices[where].includes(what) ? failed : passed);
    },
    base: () => Promise.resolve(passed),
    now: () => time,
    tell: () => undefined,
    ...more,
  };
  return controlCheck(input).then((result) => ({ result, ran }));
}

describe("[B-6] the sabotage control", () => {
  it("asks the base only about what went unnoticed", async () => {
    const { result, ran } = await control({ work: ["canary", "one", "two"], base: [] });
    expect(ran).toEqual(["work canary", "work one", "work two"]);
    expect(result).toMatchObject({ canary: "noticed", ran: 2, noticed: 2, weakened: null, planned: 3 });
    expect(result).toMatchObject({ reachRan: 1, reachNoticed: 1 });
    expect(result).toMatchObject({ triedFiles: ["a"], reachedFiles: ["a"] });
    const missed = await control({ work: ["canary", "one"], base: [] });
    expect(missed.result).toMatchObject({ triedFiles: ["a"], reachedFiles: [] });
  });

  it("[B-6] names a function of which only an error or a missing value is noticed", async () => {
    const value = (what: string, crude: boolean): Sabotage => ({
      ...sabotage(what, false),
      unit: "add in a:1",
      ...(crude ? { crude: true } : {}),
    });
    const sabotages = [value("nothing", true), value("other", false), value("turned", false), value("fails", true)];
    const tried = async (...noticed: readonly string[]) =>
      (await control({ work: ["canary", ...noticed], base: [] }, { sabotages })).result.functions;
    expect(await tried("nothing", "fails")).toEqual([{ place: "add in a:1", tried: 4, noticed: 2, crudely: true }]);
    expect(await tried("nothing", "fails", "turned")).toEqual([{ place: "add in a:1", tried: 4, noticed: 3 }]);
    expect(await tried()).toEqual([{ place: "add in a:1", tried: 4, noticed: 0 }]);
    // One other value may be equal to the right one.
    const few = await control({ work: ["canary", "fails"], base: [] }, { sabotages: sabotages.slice(2) });
    expect(few.result.functions).toEqual([{ place: "add in a:1", tried: 2, noticed: 1 }]);
  });

  it("[B-6] tells each step with the time that is used up, so that a person sees it move", async () => {
    const lines: string[] = [];
    await control({ work: ["canary", "one", "two"], base: [] }, { tell: (line) => void lines.push(line) });
    expect(lines).toEqual([
      "canary",
      "planted mistake 1 of 2 (0 of at most 1 s): one",
      "planted mistake 2 of 2 (0 of at most 1 s): two",
    ]);
  });

  it("a canary that only the base notices shows that the work weakened its judge", async () => {
    const { result, ran } = await control({ work: [], base: ["canary"] });
    expect(result).toMatchObject({ canary: "unnoticed", weakened: "canary", ran: 0 });
    expect(ran).toEqual(["work canary", "base canary"]);
  });

  it("so does a sabotage that the base noticed", async () => {
    const { result } = await control({ work: ["canary"], base: ["one"] });
    expect(result).toMatchObject({ weakened: "one" });
  });

  it("a function that stops the program is asked before the base where operators can make up for each other", async () => {
    const harder = { ...sabotage("one"), harder: [{ path: "a", text: "stop" }] };
    const noticed = await control({ work: ["canary", "stop"], base: ["one"] }, { sabotages: [harder] });
    expect(noticed.result.weakened).toBeNull();
    const silent = await control({ work: ["canary"], base: ["one"] }, { sabotages: [harder] });
    expect(silent.result.weakened).toBe("one");
  });

  it("what neither tree notices is counted and is not a cheat", async () => {
    const { result } = await control({ work: ["canary"], base: [] });
    expect(result).toMatchObject({ weakened: null, ran: 2, noticed: 0, missed: ["one", "two"] });
  });

  it("fewer tests than on the untouched work count as noticed", async () => {
    const fewer = () => Promise.resolve({ result: "passed" as const, testsRun: 1 });
    expect((await control({ work: [], base: [] }, { run: fewer })).result).toMatchObject({ noticed: 2 });
  });

  it("on a base that fails, a test that passes there and not with the sabotage counts as noticed", async () => {
    const base = { result: "failed" as const, testsRun: 2, tests: { passed: ["kept"] } };
    const tried = (passes: readonly string[]) => ({
      base: () => Promise.resolve(base),
      run: (where: "work" | "base") =>
        Promise.resolve(where === "work" ? passed : { ...base, tests: { passed: passes } }),
    });
    expect((await control({ work: [], base: [] }, tried([]))).result.weakened).toBe("canary");
    expect((await control({ work: [], base: [] }, tried(["kept"]))).result.weakened).toBeNull();
  });

  it("on a base that fails, a file that is run and none of whose equal values counts does not prove anything", async () => {
    const planted = [
      inFile({ ...sabotage("equal"), equal: true as const }, { ...sabotage("load"), loads: true as const }),
    ];
    const red = { planted, base: () => Promise.resolve(failed) };
    const blind = await control({ work: ["load"], base: ["equal", "load"] }, red);
    expect(blind.result).toMatchObject({ weakened: "equal", blind: true });
    const sees = await control({ work: ["equal", "load", "one"], base: [] }, red);
    expect(sees.result).toMatchObject({ weakened: null, canary: "noticed" });
    const notRun = await control({ work: ["one"], base: [] }, red);
    expect(notRun.result).toMatchObject({ weakened: null, canary: "unnoticed" });
    const green = await control({ work: ["load", "one"], base: [] }, { planted });
    expect(green.result).toMatchObject({ weakened: null, canary: "unnoticed", planted: { tried: 1, noticed: 0 } });
  });

  it("a base that fails anyway proves nothing against the work", async () => {
    const red = { base: () => Promise.resolve(failed) };
    const { result } = await control({ work: [], base: ["canary", "one"] }, red);
    expect(result).toMatchObject({ weakened: null, canary: "unnoticed" });
  });

  it("a base that was stopped by the time limit proves nothing against the work", async () => {
    const late = (where: "work" | "base"): Promise<RanCheck> =>
      Promise.resolve(where === "work" ? passed : { result: "timed_out", testsRun: null });
    const { result } = await control({ work: [], base: [] }, { run: late });
    expect(result).toMatchObject({ weakened: null, canary: "unnoticed", ran: 2, noticed: 0 });
  });

  it("ends when the time is used up, and the limit is a minute or five times the check", async () => {
    const { result } = await control({ work: ["canary", "one"], base: [] }, { budgetMs: 250 });
    expect(result).toMatchObject({ ran: 1, planned: 3, budgetMs: 250 });
    expect([controlBudget(500), controlBudget(60_000)]).toEqual([2_500, 60_000]);
  });

  it("a test that fails alone on the work, and passes alone on the base, shows work that keeps count", async () => {
    const alone = sabotage("the last test of a");
    const notices = { work: ["canary", "the last test of a"], base: [] };
    const { result, ran } = await control(notices, { alone });
    expect(result).toMatchObject({ dependent: "the last test of a", ran: 0 });
    expect(ran).toEqual(["work canary", "work the last test of a", "base the last test of a"]);
  });

  it("tests that never stood alone say nothing about the work", async () => {
    const alone = sabotage("the last test of a");
    const both = ["canary", "one", "two", "the last test of a"];
    const { result } = await control({ work: both, base: both }, { alone });
    expect(result.dependent).toBeUndefined();
    expect(result).toMatchObject({ weakened: null, ran: 2 });
    const free = await control({ work: ["canary", "one", "two"], base: [] }, { alone });
    expect(free.result.dependent).toBeUndefined();
    expect(free.ran).not.toContain("base the last test of a");
  });

  const value = (unit: string, what: string): Sabotage => ({ ...sabotage(what, false), reach: true, unit });

  it("[B-6] a file that cannot be loaded is not noticed: a test has to fail by its name", async () => {
    const ends: Readonly<Record<string, RanCheck>> = {
      asserts: { result: "failed", testsRun: 2, tests: { passed: ["b"], failed: ["a"] } },
      loads: { result: "failed", testsRun: 1, tests: { passed: [], failed: ["a.test.js"] } },
      builds: { result: "failed", testsRun: null },
    };
    const all = [
      value("f in a", "asserts"),
      value("g in a", "loads"),
      value("h in a", "builds"),
      value("i in a", "nothing"),
    ];
    const { result } = await control(
      { work: [], base: [] },
      {
        sabotages: all,
        planted: [],
        passed: ["a", "b"],
        run: (_, [edit]) => Promise.resolve(ends[edit?.text ?? ""] ?? passed),
      },
    );
    expect(result.functions).toEqual([
      { place: "f in a", tried: 1, noticed: 1 },
      { place: "g in a", tried: 0, noticed: 0 },
      { place: "h in a", tried: 0, noticed: 0 },
      { place: "i in a", tried: 1, noticed: 0 },
    ]);
    expect(result).toMatchObject({ reachRan: 2, reachNoticed: 1 });
  });

  it("[B-6] a planted value that only stops its file from loading shows nothing", async () => {
    const ends: Readonly<Record<string, RanCheck>> = {
      compiles: { result: "failed", testsRun: 0, tests: { passed: [], failed: [] } },
      load: { result: "failed", testsRun: 1, tests: { passed: [], failed: ["a.test"] } },
    };
    const planted = [
      inFile({ ...sabotage("compiles"), value: true, equal: true }, { ...sabotage("load"), loads: true as const }),
    ];
    const run = (_: string, [edit]: readonly { readonly text: string | null }[]) =>
      Promise.resolve(ends[edit?.text ?? ""] ?? passed);
    const { result } = await control({ work: [], base: [] }, { planted, run, passed: ["a", "b"], sabotages: [] });
    expect(result).toMatchObject({ canary: "noticed", planted: { tried: 1, noticed: 1 } });
    const alone = await control(
      { work: [], base: [] },
      { planted: [inFile({ ...sabotage("compiles"), value: true })], run, passed: ["a", "b"], sabotages: [] },
    );
    expect(alone.result.canary).toBe("none");
  });

  it("[B-6] each changed function is tried however slow the machine is, and at least six values are", async () => {
    const units = Array.from({ length: 9 }, (_, at) => value(`f${at} in a`, `v${at}`));
    const slow = await control({ work: [], base: [] }, { sabotages: units, planted: [], budgetMs: 1, floor: 6 });
    expect(slow.ran).toHaveLength(9);
    const noticed = units.map(({ edits }) => edits[0]?.text ?? "");
    const more = units.flatMap((one) => [one, { ...one, edits: [{ path: "a", text: `${one.edits[0]?.text}!` }] }]);
    const enough = await control({ work: noticed, base: [] }, { sabotages: more, planted: [], budgetMs: 1, floor: 6 });
    expect(enough.ran.filter((one) => one.endsWith("!")).length).toBeLessThan(6);
    expect(enough.result.functions?.every((one) => one.noticed > 0)).toBe(true);
    const one = await control({ work: [], base: [] }, { sabotages: units, planted: [], budgetMs: 1, floor: 1 });
    expect(one.ran.length).toBeLessThan(3);
  });

  it("[B-6] tries mistakes beside each other, with the same result, and a change that means nothing alone", async () => {
    const units = Array.from({ length: 7 }, (_, at) => value(`f${at % 2} in a`, `v${at}`));
    const means = (what: string): Sabotage => ({ ...sabotage(what), neutral: true });
    const sabotages = [means("one"), sabotage("x"), ...units.slice(0, 4), means("two"), ...units.slice(4)];
    const wide = async (lanes: number) => {
      let [running, most] = [0, 0];
      const beside: number[] = [];
      const run = async (_where: "work" | "base", [edit]: readonly { readonly text: string | null }[]) => {
        running += 1;
        most = Math.max(most, running);
        for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
        if (/one|two/.test(edit?.text ?? "")) beside.push(running - 1);
        running -= 1;
        return ["v1", "v2", "x"].includes(edit?.text ?? "") ? failed : passed;
      };
      const { result } = await control({ work: [], base: [] }, { sabotages, planted: [], run, lanes, floor: 6 });
      return { most, result, beside };
    };
    const [one, three] = [await wide(1), await wide(3)];
    expect([one.most, three.most]).toEqual([1, 3]);
    expect(three.beside).toEqual([0, 0]);
    expect(three.result).toEqual(one.result);
    expect(one.result.functions).toEqual([
      { place: "f0 in a", tried: 4, noticed: 1 },
      { place: "f1 in a", tried: 3, noticed: 1 },
    ]);
  });

  it("[B-6] a trial that cannot be run ends the control when no other one is under way", async () => {
    let ended = 0;
    const run = async (_where: "work" | "base", [edit]: readonly { readonly text: string | null }[]) => {
      if (edit?.text === "v0") throw new Error("no place on the disk");
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      ended += 1;
      return passed;
    };
    const sabotages = [value("f in a", "v0"), value("f in a", "v1"), value("f in a", "v2")];
    const broken = control({ work: [], base: [] }, { sabotages, planted: [], run, lanes: 3 });
    await expect(broken).rejects.toThrow("no place on the disk");
    expect(ended).toBe(2);
  });

  it("[B-6] a check that fails with one comment more notices no values", async () => {
    const comment: Sabotage = { ...sabotage("comment"), neutral: true };
    const touchy = await control({ work: ["comment"], base: [] }, { sabotages: [comment], planted: [] });
    expect(touchy.result.touchy).toBe("comment");
    const both = await control({ work: ["comment"], base: ["comment"] }, { sabotages: [comment], planted: [] });
    expect(both.result.touchy).toBeUndefined();
  });
});
