import { describe, expect, it } from "vitest";
import { loadSite } from "../sites/load.ts";
import { effortsDisagree, namesOther, shows, versionDiffers, versionOf, wantedOf } from "./wanted.ts";

const site = (name: "chatgpt" | "copilot" | "gemini") => loadSite(name, { folder: "/nowhere" });
const wanted = (name: string, on: "chatgpt" | "copilot" | "gemini" = "chatgpt") => {
  const found = wantedOf(site(on), name, null);
  if (found === null) throw new Error("nothing is wanted");
  return found;
};

describe("a requested model as choices of the page", () => {
  it("is nothing to choose for the selected one", () => {
    expect(wantedOf(site("chatgpt"), "current", null)).toBeNull();
  });
  it.each([
    ["gpt-5.5-pro", "GPT-5.5", "Pro"],
    ["GPT-5.6 Sol High", "GPT-5.6 Sol", "High"],
    ["GPT-5.6 Sol, Extra High", "GPT-5.6 Sol", "Extra High"],
    ["latest", "Latest", undefined],
    ["GPT-5.5", "GPT-5.5", undefined],
    ["chatgpt-pro", undefined, "Pro"],
    ["Extra High", undefined, "Extra High"],
    ["chatgpt-thinking", undefined, "High"],
  ])("%s: model %s, effort %s", (name, model, effort) => {
    expect(wanted(name).model[0]).toBe(model);
    expect(wanted(name).effort[0]).toBe(effort);
  });
  it("with an effort of its own beside the model", () => {
    expect(wantedOf(site("copilot"), "GPT-5", "high")).toMatchObject({ any: [], model: ["GPT-5"] });
    expect(wantedOf(site("chatgpt"), "current", "xhigh")?.effort).toContain("Sehr hoch");
    expect(effortsDisagree(site("chatgpt"), "gpt-5.5-pro", "high")).toBe(true);
    expect(effortsDisagree(site("chatgpt"), "gpt-5.5-pro", "max")).toBe(false);
    expect(effortsDisagree(site("chatgpt"), "gpt-5.5", "high")).toBe(false);
  });
  it("by test ids, where labels depend on the language", () => {
    expect(wanted("gemini-fast", "gemini").ids).toEqual(["bard-mode-option-fast"]);
  });
});

describe("what the closed button proves", () => {
  it.each([
    ["Pro", "Pro", true],
    ["Pro", "6 Pro", true],
    ["Pro", "Extra High", false],
    ["High", "Extra High", false],
    ["xhigh", "Extra High", false],
    ["gpt-5.5-pro", "Pro", false],
    ["gpt-5.5-pro", "5.5 Pro", false],
    ["GPT-5.5", "Medium", false],
  ])("%s by %s: %s", (name, button, proved) => {
    expect(shows(wanted(name), button)).toBe(proved);
  });
});

describe("the model that a turn names", () => {
  it.each([
    ["gpt-5.5-pro", "gpt-5-5-pro", false],
    ["gpt-5.5-pro", "gpt-5-6-thinking", true],
    ["gpt-5.6-sol", "gpt-5-6-thinking", false],
    ["gpt-5.6-sol", "gpt-5-mini", true],
    ["chatgpt-pro", "gpt-6-pro", false],
    ["chatgpt-pro", "gpt-5-6-mini", true],
    ["latest", "gpt-6", false],
    ["GPT-5", "GPT-5 mini", true],
    ["GPT-5", "Claude Sonnet 4.5", true],
    ["Pro", "Pro", false],
  ])("%s answered by %s: another one %s", (name, shown, other) => {
    expect(namesOther(wanted(name), shown)).toBe(other);
  });
  it("a button with another version contradicts the choice", () => {
    expect(versionDiffers(wanted("gpt-5.5-pro"), "5.6 Pro")).toBe(true);
    expect(versionDiffers(wanted("gpt-5.5-pro"), "5.5 Pro")).toBe(false);
    expect(versionDiffers(wanted("gpt-6-astra"), "6 Pro")).toBe(false);
    expect(versionDiffers(wanted("gpt-5.5-pro"), "Pro")).toBe(false);
    expect(versionOf("High, 3 of 5.")).not.toBe("5.5");
  });
});
