// The variables that thehood reads.
import { describe, expect, it } from "vitest";
import { runPolicy } from "../core/crew/policy/index.ts";
import { readEnvironment } from "./environment.ts";

const options = {
  approvals: undefined,
  maxIterations: undefined,
  maxTokens: undefined,
  maxMinutes: undefined,
} as const;
const directEdit = (variables: NodeJS.ProcessEnv): boolean =>
  runPolicy({
    options: {
      ...options,
      allowedPaths: [],
      disallowedPaths: [],
      checks: [],
      noChecks: false,
      waive: [],
      productPaths: [],
    },
    by: { kind: "person", surface: "cli" },
    configs: { user: { version: 1 }, repo: { version: 1 } },
    allowDirectEdit: readEnvironment(variables).allowDirectEdit,
  }).directEdit;

describe("[R-30] THEHOOD_ALLOW_DIRECT_EDIT", () => {
  it("lets a worker edit the checkout only when it is 1", () => {
    expect(directEdit({ HOME: "/home/x", THEHOOD_ALLOW_DIRECT_EDIT: "1" })).toBe(true);
    for (const value of ["0", "", "true", "yes", " 1", "01", "2"])
      expect(directEdit({ HOME: "/home/x", THEHOOD_ALLOW_DIRECT_EDIT: value })).toBe(false);
    expect(directEdit({ HOME: "/home/x" })).toBe(false);
  });
});
