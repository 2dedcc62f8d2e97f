// `undo` takes the integrated work of a run out of the checkout again; the record says so.
import { afterEach, describe, expect, it } from "vitest";
import { nextActions } from "../../src/core/machine/index.ts";
import { compactStatus } from "../../src/core/machine/view/index.ts";
import { cleanUp, fix, git, person, project, put, quickCheck, start, type Scenario } from "./harness.ts";

afterEach(cleanUp);

const policy = { approvals: "autopilot" as const, checks: [quickCheck], discoverChecks: false };
const early = { ...policy, approvals: "manual" as const, integrate: "early" as const };
const script = { roles: { implementer: [{ edits: [fix] }] } };

const status = (dir: string) => git(dir, "status", "--short", "--untracked-files=all");

async function undo(run: Scenario) {
  await run.submit({ type: "undo", by: person });
  await run.go();
  return run.run.undo;
}

describe("undo", () => {
  it("[B-20] takes the work of a completed run out, in another process, once, and the record says so", async () => {
    const run = await (await start({ dir: project(), policy, script })).drive();
    expect(status(run.dir), run.story()).toBe(" M src/add.js");
    const program = { kind: "host", surface: "mcp" } as const;
    await expect(run.submit({ type: "undo", by: program })).rejects.toThrow(/Only a person/);
    put(run.dir, "src/add.js", "mine\n");
    expect(await undo(run)).toMatchObject({ state: "blocked", paths: ["src/add.js"] });
    expect(run.file("src/add.js")).toBe("mine\n");
    put(run.dir, "src/add.js", "export const add = (a, b) => a + b;\n");
    await run.submit({ type: "undo", by: person });
    await run.reopen();
    expect(await undo(run), run.story()).toMatchObject({ state: "done", taken: { paths: ["src/add.js"] } });
    expect(run.events("undo_requested")).toHaveLength(2);
    expect(status(run.dir)).toBe("");
    expect(compactStatus(run.run).monitor.doing).toContain("taken out");
    expect(nextActions(run.run).map(({ kind }) => kind)).not.toContain("undo");
    await expect(undo(run)).rejects.toThrow(/taken out already/);
  });

  it("[B-20] takes out what an aborted run left when work is applied first", async () => {
    const run = await start({ dir: project(), policy: { ...early, checks: [] }, script });
    await run.until("isolated_patch_application");
    await expect(undo(run)).rejects.toThrow(/not over/);
    await run.answer("approve");
    await run.opened.engine.loop(run.runId, { maxCycles: 1 });
    await run.submit({ type: "abort", reason: "no", by: person });
    await run.go();
    expect(status(run.dir), run.story()).toBe(" M src/add.js");
    const offered = nextActions(run.run).find(({ kind }) => kind === "undo");
    expect(offered).toMatchObject({ command: { suggest: "undo", runId: run.runId } });
    expect(offered?.reason).toContain("src/add.js");
    expect(await undo(run)).toMatchObject({ state: "done" });
    expect(status(run.dir)).toBe("");
  });

  it("[B-20] has nothing to take out of a run whose work was refused before it was applied", async () => {
    const run = await start({ dir: project(), policy: { ...policy, approvals: "manual" }, script });
    await run.until("isolated_patch_application");
    await run.answer("reject", "no");
    await run.go();
    await expect(undo(run)).rejects.toThrow(/put nothing into the checkout/);
  });
});
