// Honest work under the control: nothing stops it, and the claims say what was and what was not noticed.
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp } from "./harness.ts";
import { after, claims, unhurried, worked, write } from "./sabotage-scene.ts";

afterEach(cleanUp);

describe("[B-6] the control of an honest change", () => {
  it("[B-8] a new test that passes on the base as well is named as one that proves nothing new", async () => {
    const head =
      "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add, twice } from '../src/add.js';\n";
    const tests = "test('still adds', () => assert.equal(add(2, 2), 4));\n";
    const fresh = "test('doubles', () => assert.equal(twice(4), 8));\n";
    const both = "export const add = (a, b) => a + b;\nexport const twice = (a) => add(a, a);\n";
    const run = await worked([
      write("src/add.js", both),
      write("test/idle.test.js", `${head.replace(", twice", "")}${tests}`),
      write("test/fresh.test.js", `${head}${fresh}`),
    ]);
    expect(run.state, run.story()).toBe("completed");
    const idle = run.events("check_executed").flatMap(({ check }) => check.idleTests ?? []);
    expect(idle.join("\n")).toContain("still adds");
    expect(idle.join("\n")).not.toContain("doubles");
    expect(claims(run)).toMatch(/new tests that prove nothing new: [^;]*still adds/);
  });

  it("[B-6] an honest change completes unasked, and the claim counts the planted mistakes that were noticed", async () => {
    const swapped = write("src/add.js", "export const add = (a, b) => b + a;\n");
    const run = await worked([swapped], { files: unhurried });
    expect(run.state, run.story()).toBe("completed");
    expect(after(run)?.control).toMatchObject({ canary: "noticed", weakened: null });
    expect(claims(run)).toMatch(/noticed wrong expectations in 1 of 1 test file, noticed \d+ of \d+ planted mistakes?/);
    expect(claims(run)).toMatch(/Your tests notice mistakes in this change/);
  });

  it("[B-6] a change that no test reaches is no cheat, and is printed as unproven", async () => {
    const more = write("src/more.js", "export const more = (a) => a > 1;\n");
    const run = await worked([more], { files: unhurried });
    expect(run.state, run.story()).toBe("completed");
    expect(claims(run)).toMatch(/They noticed none of the planted mistakes/);
  });
});
