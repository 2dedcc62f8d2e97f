import { describe, expect, it } from "vitest";
import { Play, autopilot } from "../../../../tests/support/play.ts";

describe("new files among the tests", () => {
  const asked = (path: string, why: string, change: "added" | "changed" | "removed", passes = true) => {
    const protectedPaths = [{ path, why, change }];
    const play = new Play(
      { policy: autopilot },
      {
        judge: () => ({ verdict: "approval", reason: "protected_path", protectedPaths }),
        result: () => (passes ? "passed" : "failed"),
      },
    ).go();
    return play.gate ?? null;
  };

  it.each([
    ["test/new.test.js", "test", "added", null],
    ["src/fixtures/countries.json", "fixture", "added", null],
    ["src/openapi.spec.js", "test, schema", "added", null],
    ["tests/conftest.py", "test", "added", "protected_patch_changes"],
    ["test/setup.js", "test", "added", "protected_patch_changes"],
    ["package.json", "manifest", "added", "protected_patch_changes"],
    ["test/old.test.js", "test", "changed", "protected_patch_changes"],
    ["test/old.test.js", "test", "removed", "protected_patch_changes"],
  ] as const)("[B-3] [R-32] %s (%s, %s) leads to %s", (path, why, change, gate) => {
    expect(asked(path, why, change)).toBe(gate);
  });

  it("[R-32] a new test asks where a check of the base does not pass", () => {
    expect(asked("test/new.test.js", "test", "added", false)).toBe("validation_waiver");
  });
});
