// A suite that takes longer than ten seconds: it runs as a whole on the work, and trials run the tests that read the change.
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp } from "./harness.ts";
import { after, claims, good, worked, write } from "./sabotage-scene.ts";

afterEach(cleanUp);

describe("[B-6] a slow suite", () => {
  it("[B-6] is broken on purpose as often as a fast one, and only in the tests that read the change", async () => {
    const slow =
      "import assert from 'node:assert';\nimport test from 'node:test';\ntest('slow', async () => { await new Promise((done) => setTimeout(done, 12_000)); assert.equal(1, 1); });\n";
    const files = { ...good, "test/slow.test.js": slow };
    const change = "export const add = (a, b) => {\n  const sum = a + b;\n  return sum;\n};\n";
    const run = await worked([write("src/add.js", change)], { files });
    expect(run.state, run.story()).toBe("completed");
    const check = after(run);
    expect(check?.testsRun).toBe(2);
    expect(check?.control).toMatchObject({ canary: "noticed", limitedTo: 1, functions: [{ tried: 4, noticed: 4 }] });
    expect(claims(run)).toContain("with 1 test file only");
  });
});
