// A run that a person ended says whether anything of it is left in the checkout, and where its work is kept.
import { expect, it } from "vitest";
import { fixing, openTestDesk, stub } from "./program.ts";

const begin = ["run", "make add add", "--team", "stub", ...stub(fixing), "--json"];

it.each([
  { word: "reject", gates: 0 },
  { word: "abort", gates: 0 },
  { word: "reject", gates: 1 },
  { word: "abort", gates: 1 },
])("[B-20] $word after $gates answered gates names what stays, and so does status", ({ word, gates }) => {
  const desk = openTestDesk();
  const { runId, next } = desk.thehood(begin).json<{ runId: string; next: { command: string | null }[] }>();
  const [, shown = ""] = /--shown ([0-9a-f]{64})/.exec(JSON.stringify(next)) ?? [];
  for (let answered = 0; answered < gates; answered += 1) desk.thehood(["approve", runId, "--shown", shown]);
  const ended = desk.thehood([word, runId]);
  expect(ended.code, ended.err).toBe(0);
  const kept = `Nothing of this run is in the checkout.${gates === 0 ? "" : ` Work that it captured is kept: thehood diff ${runId}`}\n`;
  expect(ended.out).toContain(kept);
  expect(desk.thehood(["status", runId]).out).toContain(kept);
  expect(desk.repo.git("status", "--porcelain")).toBe("");
  expect(desk.thehood(["diff", runId]).out.includes("+export const add")).toBe(gates === 1);
});

it("[B-20] work of a call that never ended well is kept at the abort, and the command that is named for it shows it", () => {
  const desk = openTestDesk();
  const [step] = fixing.roles.implementer;
  const crashing = stub({ roles: { implementer: [{ ...step, behave: "crash" }] } });
  const command = ["run", "make add add", "--team", "stub", "--approvals", "autopilot", ...crashing];
  desk.thehood([...command, "--check", "true"]);
  const ended = desk.thehood(["abort"]);
  expect(ended.code, ended.err).toBe(0);
  const [, runId = ""] = /kept: thehood diff (run_\w+)/.exec(ended.out) ?? [];
  const diff = desk.thehood(["diff", runId]);
  expect(diff.code, diff.err).toBe(0);
  expect(diff.out).toContain("+export const add = (a, b) => a + b;");
  expect(desk.thehood(["diff", runId, "--json"]).json()).toMatchObject({
    runId,
    changedPaths: ["src/add.js"],
  });
  // What a person drops is gone.
  desk.repo.git("update-ref", "-d", `refs/thehood/keep/${runId}/1`);
  expect(desk.thehood(["diff", runId])).toMatchObject({
    code: 2,
    err: expect.stringContaining("captured no change"),
  });
});
