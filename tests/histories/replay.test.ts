import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Recorded, runEvent } from "../../src/core/contract/index.ts";
import { type Flag, currentFlags, flags, fold, next } from "../../src/core/machine/index.ts";
import { outcomeOf } from "./outcome.ts";
import { histories, readHistory as read, versions } from "./recorded.ts";
import { stories } from "./stories.ts";

/** The versions that the changelog names. */
const released = [
  ...readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8").matchAll(/^## (\d+\.\d+\.\d+)/gm),
].map(([, version]) => version);

describe("recorded histories", () => {
  it("there is one of every released version", () => {
    expect(released).toContain("0.1.0");
    expect(released.filter((version) => !versions.includes(version ?? ""))).toEqual([]);
  });

  it("[R-71] every flag of the rules is used by a history of the version that brings it", () => {
    const recorded = new Map<number, string>();
    for (const { version, file } of histories)
      for (const { event } of read(file))
        if (event.type === "run_created")
          for (const id of event.flags ?? []) if (!recorded.has(id)) recorded.set(id, version);
    const byNumber = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);
    expect(byNumber(recorded.keys())).toEqual(byNumber(currentFlags));
    for (const { id, since } of Object.values<Flag>(flags)) expect(recorded.get(id)).toBe(since);
  });

  it.each(histories)("[R-71] $version $name replays to the same outcome", ({ file }) => {
    const run = fold(read(file));
    if (!run) throw new Error("empty history");
    const expected: unknown = JSON.parse(readFileSync(file.replace(".jsonl", ".outcome.json"), "utf8"));
    expect(JSON.parse(JSON.stringify(outcomeOf(run)))).toEqual(expected);
  });

  it.each(histories)("[R-71] $version $name folds at every prefix, and says what comes next", ({ file }) => {
    const events = read(file);
    for (let length = 1; length <= events.length; length += 1) {
      const run = fold(events.slice(0, length));
      expect(run?.seq).toBe(length);
      if (run) next(run);
    }
  });

  it("[R-71] the stories use every kind of event there is", () => {
    const used = new Set(Object.values(stories).flatMap((tell) => tell().types()));
    const all = runEvent.options.map((option) => option.shape.type.value);
    expect(all.filter((type) => !used.has(type))).toEqual([]);
  });

  it("[R-71] a history with a line missing, doubled or swapped does not fold", () => {
    const events = read(histories.find(({ name }) => name === "implemented")?.file ?? "");
    const broken = [
      events.toSpliced(5, 1),
      events.toSpliced(5, 0, events[5] as Recorded),
      events.with(5, events[6] as Recorded),
    ];
    for (const bad of broken) expect(() => fold(bad)).toThrow(/impossible/);
    expect(() => fold(events.slice(1))).toThrow(/run_created/);
  });
});
