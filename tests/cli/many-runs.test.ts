// A run in a store of many: what it reads does not grow with the runs beside it.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { seedRuns } from "../support/seed-runs.ts";
import { bin, fixing, openTestDesk, stub, type Desk } from "./program.ts";

const command = ["run", "fix add", "--team", "stub", "--approvals", "autopilot", "--json"];
const check = ["--check", "grep 'a + b' src/add.js"];

/** The bytes that a whole run read, with all that it started, as the kernel counts them. */
function readByRun(desk: Desk): number {
  const line = `"$@" > /dev/null; cat /proc/$$/io`;
  const ran = spawnSync("sh", ["-c", line, "sh", process.execPath, bin, ...command, ...check, ...stub(fixing)], {
    cwd: desk.repo.dir,
    env: desk.env,
    encoding: "utf8",
  });
  const [, count = ""] = /^rchar: (\d+)$/m.exec(ran.stdout) ?? [];
  expect(ran.stderr).not.toContain("thehood:");
  expect(Number(count)).toBeGreaterThan(0);
  return Number(count);
}

describe.skipIf(process.platform !== "linux")("a store of many runs (needs Linux)", () => {
  it("[R-71] a run beside four hundred others reads hardly more than one beside a few", async () => {
    const desk = openTestDesk();
    const { runId } = desk.thehood([...command, ...check, ...stub(fixing)]).json<{ runId: string }>();
    desk.repo.git("checkout", "-q", "--", ".");
    await seedRuns(desk.repo.dir, runId, 5);
    const few = readByRun(desk);
    desk.repo.git("checkout", "-q", "--", ".");
    await seedRuns(desk.repo.dir, runId, 400);
    const many = readByRun(desk);
    expect(many).toBeLessThan(few * 1.5);
  });
});
