// Runs one after the other in one checkout, with nothing committed between them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { addsLine, fixing, openTestDesk, stub } from "./program.ts";

it("[B-1] the second run works on what the first one integrated, and edits of the user stay out of both", () => {
  const desk = openTestDesk();
  writeFileSync(join(desk.repo.dir, "README.md"), "# Mine\n");
  const command = ["run", "change add", "--team", "stub", "--approvals", "autopilot", "--json"];
  const run = (script: object) => desk.thehood([...command, "--check", addsLine, ...stub(script)]);
  const first = run(fixing);
  expect(first.code, first.err).toBe(0);
  const edits = [{ op: "replace", path: "src/add.js", find: "a + b", with: "b + a" }];
  const step = { edits, payload: { changedFiles: ["src/add.js"] } };
  const second = run({ roles: { implementer: [step] } });
  expect(second.code, second.err + second.out).toBe(0);
  expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("b + a");
  expect(readFileSync(join(desk.repo.dir, "README.md"), "utf8")).toBe("# Mine\n");
  const { runId } = second.json<{ runId: string }>();
  const diff = desk.thehood(["diff", runId]).out;
  expect(diff).toContain("-export const add = (a, b) => a + b;");
  expect(diff).not.toContain("README.md");
});
