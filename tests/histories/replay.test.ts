import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Recorded, runEvent } from "../../src/contract/index.ts";
import { fold, next } from "../../src/machine/index.ts";
import { outcomeOf } from "./outcome.ts";
import { stories } from "./stories.ts";

const versions = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const histories = versions.flatMap((version) =>
  readdirSync(join(import.meta.dirname, version))
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => ({
      version,
      name: file.replace(".jsonl", ""),
      file: join(import.meta.dirname, version, file),
    })),
);

function read(file: string): Recorded[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { seq, at, event } = JSON.parse(line) as Recorded;
    return { seq, at, event: runEvent.parse(event) };
  });
}

describe("recorded histories", () => {
  it("there is one of every released version", () => {
    expect(versions).toContain("0.1.0");
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
