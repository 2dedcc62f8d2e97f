import { describe, expect, it } from "vitest";
import { agreesWith, fitsOne, pickModel } from "./labels.ts";

const option = (label: string, submenu = false) => ({ label, id: label, submenu, checked: null });

describe("a model is picked by its whole label", () => {
  it.each([
    ["GPT-5", ["GPT-5 mini", "GPT-5", "GPT-5 Pro"], "GPT-5"],
    ["GPT-5", ["GPT-5 mini", "Claude Sonnet 4.5"], null],
    ["Flash", ["3.1 Flash-Lite", "3.8 Flash", "3.1 Pro"], "3.8 Flash"],
    ["Flash", ["3.1 Flash-Lite", "3.1 Pro"], null],
    ["3.8 Flash", ["3.5 Flash", "3.8 Flash"], "3.8 Flash"],
    ["High", ["Medium", "Extra High"], null],
    ["Pro", ["Pro preview", "Pro"], "Pro"],
    ["gpt-5.5", ["GPT-5.5"], "GPT-5.5"],
  ])("%s among %j", (requested, labels, wanted) => {
    expect(
      pickModel(
        labels.map((label) => option(label)),
        [requested],
      )?.label ?? null,
    ).toBe(wanted);
  });
  it("never a submenu, and not one of two versions that fit equally", () => {
    expect(pickModel([option("Thinking", true)], ["Thinking"])).toBeNull();
    expect(pickModel([option("3.5 Flash"), option("3.8 Flash")], ["Flash"])).toBeNull();
  });
});

describe("a label that the page shows", () => {
  it.each([
    ["GPT-5 mini", "GPT-5", false],
    ["Flash-Lite", "Flash", false],
    ["Extra High", "High", false],
    ["High", "Extra High", false],
    ["Flash", "3.8 Flash", false],
    ["3.8 Flash", "Flash", true],
    ["gpt 5", "GPT-5", true],
  ])("%s for the requested %s: %s", (shown, requested, wanted) => {
    expect(fitsOne(shown, [requested])).toBe(wanted);
  });
  it("may lack the version of the option that was pressed, and nothing else", () => {
    expect(agreesWith("Flash", "3.8 Flash")).toBe(true);
    expect(agreesWith("Flash", "3.1 Flash-Lite")).toBe(false);
    expect(agreesWith("GPT-5", "GPT-5 mini")).toBe(false);
  });
});
