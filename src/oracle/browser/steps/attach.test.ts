import { describe, expect, it } from "vitest";
import { chipState, names } from "./attach.ts";

const chip = (...shown: string[]) => ({ names: shown, busy: false });

describe("a chip names a file", () => {
  it.each([
    "notes.md",
    "notes(1).md",
    "notes (2).md",
    "Remove file notes.md",
    "notes",
    "notes.md 3 kB",
    "File: notes.md",
  ])("%s", (shown) => {
    expect(names(chip(shown), "notes.md")).toBe(true);
  });
  it.each(["oracle-co….md", "oracle-con...zip"])("%s, shortened", (shown) => {
    const file = shown.endsWith("zip") ? "oracle-context-package.zip" : "oracle-context.md";
    expect(names(chip(shown), file)).toBe(true);
  });
  it.each(["", "mynotes.md", "notes.mdx", "notes2.md", "other.md", "….md", "not….txt"])("not %s", (shown) => {
    expect(names(chip(shown), "notes.md")).toBe(false);
  });
});

describe("files are attached", () => {
  it("when each has a chip of its own and none is busy", () => {
    expect(chipState([chip("a.md"), chip("b.md")], ["b.md", "a.md"]).ready).toBe(true);
    expect(chipState([chip("a.md")], ["a.md", "a.md"]).absent).toEqual(["a.md"]);
    expect(chipState([{ names: ["a.md"], busy: true }], ["a.md"]).ready).toBe(false);
    expect(chipState([chip("a.md"), chip("stranger.md")], ["a.md"]).ready).toBe(false);
    expect(chipState([], ["a.md"])).toEqual({ ready: false, absent: ["a.md"], busy: false });
  });
});
