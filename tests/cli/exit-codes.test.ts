// Each exit code, provoked on purpose through the real program.
import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub, type Desk } from "./program.ts";

const run = (desk: Desk, script: unknown, ...more: string[]) =>
  desk.thehood(["run", "fix add", "--team", "stub", "--approvals", "autopilot", ...stub(script), ...more]).code;

const breaking = (text: string) => ({
  edits: [{ op: "write", path: "src/add.js", text: `export const add = ${text};\n` }],
});

describe("exit codes", () => {
  it("0 for verified work, 3 for a gate, 2 for bad input, 8 for a run that was aborted", () => {
    const desk = openTestDesk();
    expect(run(desk, fixing)).toBe(0);
    expect(desk.thehood(["run", "x", "--team", "stub"]).code).toBe(3);
    const rejected = desk.thehood(["reject", "--json"]);
    expect(rejected.code).toBe(0);
    expect(rejected.json()).toMatchObject({ ok: true, state: "aborted" });
    expect(desk.thehood(["continue"]).code).toBe(8);
    expect(desk.thehood(["run", " "]).code).toBe(2);
    // It asks for more answers.
    expect(run(desk, fixing, "--max-iterations", "1")).toBe(3);
  });

  it("4 for a provider that fails, 7 for answers that break the contract", () => {
    const desk = openTestDesk();
    expect(run(desk, { roles: { planner: [{ behave: "crash" }] } })).toBe(4);
    expect(run(desk, { repeatLast: true, roles: { planner: [{ raw: "no JSON" }] } })).toBe(7);
  });

  it("[R-15] 5 for work that checks or reviewers sent back until no answers were left, and for an altered record", () => {
    const desk = openTestDesk();
    const worse = { roles: { implementer: [breaking("(a, b) => a + b"), breaking("(a, b) => a")] } };
    const critical = { verdict: "revise", summary: "not yet", failedCriteria: ["x"] };
    const script = { ...worse, roles: { ...worse.roles, verifier: [{ payload: critical }] } };
    expect(run(desk, script, "--max-iterations", "6")).toBe(5);
    const [artifact = ""] = globSync(join(desk.repo.dir, ".thehood/artifacts/**/*")).filter((path) =>
      /[0-9a-f]{60}/.test(path),
    );
    rmSync(artifact);
    expect(desk.thehood(["log", "verify"]).code).toBe(5);
  });

  it("6 for what may not be: a repository that ships our state", () => {
    const desk = openTestDesk({ ".thehood/config.json": "{}\n", "a.txt": "a\n" });
    desk.repo.git("add", "-f", ".thehood/config.json");
    desk.repo.git("commit", "-q", "--allow-empty", "-m", "ship");
    expect(run(desk, {})).toBe(6);
  });
});
