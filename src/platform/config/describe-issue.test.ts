import { describe, expect, it } from "vitest";
import { repoConfig, sharedConfig, userConfig } from "../../core/contract/index.ts";
import { parseJsonc } from "./read-jsonc.ts";

const said = (text: string, schema: Parameters<typeof parseJsonc>[2] = userConfig): string => {
  try {
    parseJsonc(text, "config.json", schema);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "nothing";
};

describe("a mistake in a configuration file", () => {
  it.each([
    ['{ "policy": { "aprovals": "manual" } }', 'unknown key "aprovals" in policy; did you mean "approvals"?'],
    ['{ "polcy": {} }', 'unknown key "polcy"; did you mean "policy"?'],
    ['{ "policy": { "budgets": { "maxIteration": 3 } } }', 'did you mean "maxIterations"?'],
    ['{ "policy": { "approvals": "sometimes" } }', "policy.approvals must be one of manual, "],
    ['{ "policy": { "budgets": { "maxIterations": 0 } } }', "policy.budgets.maxIterations must be at least 1"],
    ['{ "policy": { "budgets": { "maxIterations": "3" } } }', "policy.budgets.maxIterations must be a number"],
    ['{ "policy": { "protectedPaths": [""] } }', "policy.protectedPaths.0 must not be empty"],
    ['{ "policy": { "protectedPaths": "src" } }', "policy.protectedPaths must be a list"],
    ['{ "policy": { "discoverChecks": "no" } }', "policy.discoverChecks must be true or false"],
  ])("%s is described in plain words", (text, words) => {
    expect(said(text)).toContain(words);
  });

  it("[R-62] a shared file can add checks and protected paths, and nothing else", () => {
    const check = { id: "api", kind: "test", argv: ["npm", "test"] };
    expect(said(JSON.stringify({ version: 1, checks: [check] }), sharedConfig)).toBe("nothing");
    expect(said('{ "approvals": "autopilot" }', sharedConfig)).toContain("unknown key");
    expect(said('{ "policy": { "editRequiresApproval": false } }', repoConfig)).toContain("must be true");
  });
});
