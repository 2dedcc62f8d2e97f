import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, fix, git, start } from "./harness.ts";

afterEach(cleanUp);

describe("a governed run from goal to verified, integrated work", () => {
  it("[R-11] plan, gate, worktree, patch, integration, a test that failed before and passes after, review, report", async () => {
    const run = await start({
      policy: { checks: [], discoverChecks: true },
      script: { roles: { implementer: [{ edits: [fix] }] } },
    });
    await run.until("implementation_start");
    expect(run.file("src/add.js")).toContain("a - b");
    await run.answer("approve");
    await run.until("isolated_patch_application");
    expect(run.file("src/add.js")).toContain("a - b");
    await run.answer("approve");
    await run.go();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("src/add.js")).toBe("export const add = (a, b) => a + b;\n");
    const checks = run
      .events("check_executed")
      .map(({ check }) => `${check.variant} ${check.argv.join(" ")} ${check.result}`);
    expect(checks).toEqual(["base npm run test failed", "patched npm run test passed"]);
    const [report] = run.events("final_report_written");
    expect(run.json(report?.report)).toMatchObject({ kind: "final_report", finalState: "completed" });
    expect(git(run.dir, "status", "--porcelain")).toBe(" M src/add.js");
    expect(git(run.dir, "worktree", "list").split("\n")).toHaveLength(1);
    expect(existsSync(join(run.dir, ".thehood/worktrees", run.runId))).toBe(false);
    expect(readdirSync(join(run.dir, ".thehood")).includes("store.db")).toBe(true);
  });
});
