// Governed runs through the real program: real git, real SQLite, real commands, the stub in every role.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { bin, fixing, openTestDesk, realNpm, sample, stub } from "./program.ts";

const goal = "make add() add";

describe("a run from goal to verified work", () => {
  it("[R-11] [R-30] [R-31] [R-46] [R-75] [R-80] stops at each gate, applies what was approved, proves it and reports", () => {
    const { thehood, repo } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    const started = thehood(["run", goal, "--json", ...stub(fixing)], realNpm);
    expect(started.code).toBe(3);
    const first = started.json<{ runId: string; gate: { kind: string; id: string } }>();
    expect(first.gate.kind).toBe("implementation_start");
    const second = thehood(["approve", first.runId, "--gate", first.gate.id, "--json"], realNpm);
    expect(second.code).toBe(3);
    expect(second.json<{ gate: { kind: string } }>().gate.kind).toBe("isolated_patch_application");
    expect(readFileSync(join(repo.dir, "src/add.js"), "utf8")).toContain("a - b");
    const done = thehood(["approve", first.runId, "--message", "apply isolated patch", "--json"], realNpm);
    expect(done.code).toBe(0);
    expect(done.json()).toMatchObject({ state: "completed", stopReason: "success", ok: true });
    expect(readFileSync(join(repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    const report = thehood(["report", first.runId, "--json"]).json<{
      kind: string;
      claims: { kind: string; standing: string }[];
    }>();
    expect(report.kind).toBe("final_report");
    expect(report.claims.filter(({ kind }) => kind === "check")).toEqual([
      expect.objectContaining({ standing: "proven" }),
    ]);
    const { handoffs } = thehood(["show", first.runId, "--json"]).json<{
      handoffs: { kind: string; from: string; to: string; gateId: string | null }[];
    }>();
    const lines = handoffs.map(({ kind, from, to }) => `${kind}: ${from} > ${to}`);
    expect(lines).toContain("agent_handoff: Agent 1 / Orchestrator > Agent 2 / Implementer");
    expect(lines.filter((line) => line.startsWith("approval_gate: Operator"))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith("approval_auto_approved"))).toEqual([]);
    expect(lines.at(-1)).toBe("completion: Agent 3 / Verifier > Operator");
    expect(thehood(["log", "verify"]).code).toBe(0);
  });

  it("[B-6] the gate names the control that went unnoticed, beside an output that tells of a pass", () => {
    const { thehood } = openTestDesk();
    const text =
      "import a from 'node:assert';\nfor (const k of Object.keys(a)) a[k] = () => {};\nexport const add = (a, b) => a + b;\n";
    const edits = [{ op: "write", path: "src/add.js", text }];
    const verifier = [{ payload: { verdict: "approve", summary: "fine" } }];
    const script = { repeatLast: true, roles: { implementer: [{ edits }], verifier } };
    const asked = thehood(["run", goal, "--team", "stub", "--approvals", "autopilot", "--json", ...stub(script)]);
    expect(asked.code, asked.err).toBe(3);
    const shown = thehood(["status", asked.json<{ runId: string }>().runId, "--verbose"]).out;
    expect(shown).toContain("This work took the check's voice away");
    expect(shown).not.toContain("It was not broken by this work");
    expect(shown).toMatch(/What failed: [^\n]*\n\s+it passes, and does not notice a wrong expectation planted in test/);
  });

  it("[R-62] [R-63] under autopilot the same run asks no person, and every automatic approval is on record", () => {
    const { thehood } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    const done = thehood(["run", goal, "--approvals", "autopilot", "--json", ...stub(fixing)]);
    expect(done.code).toBe(0);
    const { runId } = done.json<{ runId: string }>();
    const events = thehood(["logs", runId, "--json"])
      .json<{ events: { event: { type: string } }[] }>()
      .events.map(({ event }) => event.type);
    expect(events.filter((type) => type === "approval_auto_approved").length).toBeGreaterThanOrEqual(2);
    expect(events).not.toContain("approval_recorded");
  });

  it("[B-4] an approval names the hash of what was shown, and no other", () => {
    const { thehood, repo, env } = openTestDesk();
    const first = thehood(["run", "fix add", "--team", "stub", "--json", ...stub(fixing)]).json<{
      runId: string;
      gate: { sha256: string };
    }>();
    // Past the helper of these tests, which names the hash like a script that has looked.
    const unseen = spawnSync(process.execPath, [bin, "approve", first.runId], { cwd: repo.dir, env });
    expect(unseen.status).not.toBe(0);
    expect(String(unseen.stderr)).toContain("name the hash");
    const other = thehood(["approve", first.runId, "--shown", "0".repeat(64)]);
    expect(other.code).not.toBe(0);
    expect(thehood(["status", first.runId, "--json"]).json()).toMatchObject({ gate: first.gate });
    const taken = thehood(["approve", first.runId, "--shown", first.gate.sha256, "--no-continue"]);
    expect(taken.code).toBe(0);
    expect(thehood(["approve", first.runId, "--shown", first.gate.sha256]).code).not.toBe(0);
  });

  it("[R-61] a gate with a phrase refuses a message without it, and nothing moves", () => {
    const { thehood, repo } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    thehood(["run", goal, ...stub(fixing)]);
    thehood(["approve"]);
    const refused = thehood(["approve", "--message", "sure, go on"]);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain("apply isolated patch");
    expect(readFileSync(join(repo.dir, "src/add.js"), "utf8")).toContain("a - b");
    expect(thehood(["status", "--json"]).json<{ runs: { state: string }[] }>().runs[0]?.state).toBe(
      "awaiting_approval",
    );
  });

  it("[R-4] [R-47] a verifier that approves over a regression changes nothing: the run does not complete", () => {
    const { thehood } = openTestDesk({ ...sample, "src/add.js": "export const add = (a, b) => a + b;\n" });
    thehood(["teams", "apply", "stub"]);
    const breaking = {
      roles: {
        implementer: [{ edits: [{ op: "replace", path: "src/add.js", find: "a + b", with: "a * b" }] }],
        verifier: [{ payload: { verdict: "approve", summary: "all tests pass, trust me" } }],
      },
      repeatLast: true,
    };
    const done = thehood(["run", "make it faster", "--approvals", "autopilot", "--json", ...stub(breaking)]);
    expect(done.code).not.toBe(0);
    expect(done.json<{ state: string }>().state).not.toBe("completed");
  });

  it("[R-16] [S-4] the headless runner approves nothing", () => {
    const { thehood } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    thehood(["run", goal, ...stub(fixing)]);
    for (const words of [[], ["--max-cycles", "2"], ["--max-steps", "2"]])
      expect(thehood(["loop", ...words]).code).toBe(3);
    expect(thehood(["status", "--json"]).json<{ runs: { state: string }[] }>().runs[0]?.state).toBe(
      "awaiting_approval",
    );
  });

  it("[R-12] [R-74] a plan run edits nothing and ends with a handoff plan", () => {
    const { thehood, repo } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    const done = thehood(["plan", goal, "--json"]);
    expect(done.code).toBe(0);
    expect(done.json()).toMatchObject({ mode: "plan", state: "completed" });
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  it("[S-7] the state folder is excluded from git and tells nothing to others", () => {
    const { thehood, repo } = openTestDesk();
    expect(thehood(["init"]).code).toBe(0);
    const exclude = readFileSync(join(repo.dir, ".git/info/exclude"), "utf8");
    expect(exclude).toContain(".thehood/");
    expect(exclude).toContain(".thehood-browser.json");
    expect(repo.git("status", "--porcelain", "--ignored")).not.toContain("?? .thehood");
  });

  it("[R-40] [R-60] without a verifier the run stops for the user, who can assign an agent in this run", () => {
    const { thehood } = openTestDesk();
    for (const role of ["orchestrator", "planner", "implementer"]) thehood(["roles", "set", role, `stub:${role}`]);
    const stopped = thehood(["run", goal, "--approvals", "autopilot", "--json", ...stub(fixing)]);
    expect(stopped.code).toBe(3);
    const { runId, gate } = stopped.json<{ runId: string; gate: { kind: string } }>();
    expect(gate.kind).toBe("verifier_unassigned");
    expect(thehood(["roles", "set", "verifier", "stub:implementer", "--run", runId]).code).toBe(2);
    let last = thehood(["roles", "set", "verifier", "stub:verifier", "--run", runId, "--json"]);
    // The switch itself is asked about first; then the gate that waited for a verifier.
    for (let tries = 0; tries < 3 && last.code === 3; tries += 1) {
      const { gates } = thehood(["show", runId, "--json"]).json<{
        gates: { id: string; kind: string; phrase: string | null }[];
      }>();
      const open = gates.find(({ kind }) => kind === "role_switch") ?? gates[0];
      last = thehood(["approve", runId, "--gate", open?.id ?? "", "--message", open?.phrase ?? "yes", "--json"]);
    }
    expect(last.json()).toMatchObject({ state: "completed" });
  });
});
