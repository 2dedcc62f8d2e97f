// Product files that only look like tests: only a person can declare them, when a run starts.
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, quickCheck, sample, start } from "./harness.ts";

afterEach(cleanUp);

const files = {
  ...sample,
  "src/add.js":
    "import prices from './fixtures/prices.json' with { type: 'json' };\nexport const add = (a, b) => a + b;\n",
  "src/fixtures/prices.json": "[1]\n",
};
const checks = { checks: [quickCheck], discoverChecks: false };
const edits = [{ op: "write", path: "src/fixtures/prices.json", text: "[1, 2]\n" }] as const;
const script = { roles: { implementer: [{ edits: [...edits] }] } };
const productPaths = ["src/fixtures/**"];

const asked = (run: Awaited<ReturnType<typeof start>>) => run.events("approval_required").length;

describe("a product file that looks like a test", () => {
  it("[B-3] asks no person on autopilot when the person who starts the run declares it, and once when not", async () => {
    const policy = { approvals: "autopilot" as const, ...checks };
    const declared = await (await start({ files, policy: { ...policy, productPaths }, script })).drive();
    expect(declared.state, declared.story()).toBe("completed");
    expect(asked(declared)).toBe(0);
    const plain = await (await start({ files, policy, script })).drive();
    expect(plain.gate.parts?.map(({ kind }) => kind)).toContain("protected_patch_changes");
  });

  it("[B-3] is declared with the answer to the start; the record and the last sheet name it", async () => {
    const run = await start({ files, policy: { approvals: "manual", ...checks }, script });
    await run.go();
    await run.answer("approve", undefined, { productPaths });
    await run.go();
    const { gate } = run;
    expect(gate.parts?.map(({ kind }) => kind)).toEqual(["isolated_patch_application"]);
    expect(gate.subject.text).toContain("Files that look like tests and that you declared as product:");
    expect(run.events("approval_recorded")[0]?.approval).toMatchObject({ productPaths });
    await run.answer("approve");
    await run.go();
    expect(run.state, run.story()).toBe("completed");
    expect(asked(run)).toBe(2);
  });

  it("[B-3] is declared by no program, and not where the work is shown already", async () => {
    const policy = { approvals: "manual" as const, hostMayApprove: true, ...checks };
    const run = await start({ files, policy, script });
    await run.go();
    const { id, subject } = run.gate;
    const answer = { type: "answer", gateId: id, subjectSha256: subject.sha256, answer: "approve" } as const;
    const by = { kind: "host", surface: "mcp" } as const;
    await expect(run.submit({ ...answer, message: "", productPaths, by })).rejects.toThrow(/Only a person/);
    await run.answer("approve");
    await run.go();
    await expect(run.answer("approve", undefined, { productPaths })).rejects.toThrow(/start of a run/);
  });

  it("[B-3] a test that the base runs stays a question, whatever is declared", async () => {
    const weaker = { op: "replace", path: "test/add.test.js", find: "3", with: "3 || 1" } as const;
    const run = await start({
      files,
      policy: { approvals: "autopilot", ...checks, productPaths: ["test/**"] },
      script: { roles: { implementer: [{ edits: [weaker] }] } },
    });
    await run.drive();
    expect(run.gate.subject.text).toContain(
      "- changed: test/add.test.js (test; you declared it as product, and it is a test here)",
    );
  });
});
