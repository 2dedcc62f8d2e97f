import { describe, expect, it } from "vitest";
import type { Sabotage } from "./plan.ts";
import { plantFailures, type PlantDeps, type PlantedFile } from "./plant.ts";

const one = (what: string, more: Partial<Sabotage> = {}): Sabotage => ({
  what,
  edits: [{ path: what.split(" ")[0] ?? "", text: what }],
  onBase: [],
  reach: false,
  ...more,
});
const file = (path: string, isNew = false): PlantedFile => ({
  path,
  owns: (name) => name.startsWith(path),
  tries: [one(`${path} value`, { equal: true, value: true }), one(`${path} load`, { loads: true })],
  isNew,
});

/** `notices`: what fails on the work; the base notices what `base` names. */
function plant(files: readonly PlantedFile[], notices: readonly string[], more: Partial<PlantDeps> = {}) {
  const ran: string[] = [];
  const deps: PlantDeps = {
    attempt: (_, { what }) => {
      ran.push(what);
      return Promise.resolve(notices.includes(what));
    },
    run: (edits) => {
      const failed = edits.filter(({ text }) => notices.includes(text ?? "")).map(({ path }) => `${path} > test`);
      ran.push("together");
      return Promise.resolve({
        result: failed.length > 0 ? "failed" : "passed",
        testsRun: files.length,
        tests: { passed: [], failed },
      });
    },
    weakens: () => Promise.resolve(false),
    hasTime: () => true,
    baseFails: () => Promise.resolve(false),
    tell: () => undefined,
    passed: files.map(({ path }) => `${path} > test`),
    ...more,
  };
  return plantFailures(files, deps).then((result) => ({ result, ran }));
}

describe("[B-6] planted failures", () => {
  it("all files in one run, where each is seen to fail", async () => {
    const { result, ran } = await plant([file("a"), file("b")], ["a value", "b value"]);
    expect(ran).toEqual(["together"]);
    expect(result).toEqual({ canary: "noticed", weakened: null, planted: { tried: 2, noticed: 2 } });
  });

  it("one file that notices does not settle the others", async () => {
    const { result, ran } = await plant([file("a"), file("b")], ["a value", "b load"]);
    expect(ran).toEqual(["together", "b value", "b load"]);
    expect(result).toMatchObject({ canary: "noticed", planted: { tried: 2, noticed: 1, unnoticed: ["b"] } });
    const weak = await plant([file("a"), file("b")], ["a value"], {
      weakens: ({ what }) => Promise.resolve(what === "b value"),
    });
    expect(weak.result).toMatchObject({ canary: "unnoticed", weakened: "b value" });
  });

  it("a file that the check does not run is not counted", async () => {
    const { result } = await plant([file("a"), file("b")], ["a value"]);
    expect(result.planted).toEqual({ tried: 1, noticed: 1 });
    expect((await plant([file("a")], [])).result).toEqual({ canary: "unnoticed", weakened: null });
  });

  it("a test file of the work whose values do not count is named", async () => {
    const { result } = await plant([file("a"), file("b", true)], ["a value", "b load"]);
    expect(result.planted).toMatchObject({ deaf: ["b"] });
  });

  it("six files are tried alone however slow the machine is, and the others are counted", async () => {
    const files = Array.from({ length: 8 }, (_, at) => file(`f${at}`));
    const { result } = await plant(files, ["f0 load"], { hasTime: () => false, passed: [] });
    expect(result.planted).toMatchObject({ untried: 2 });
  });
});
