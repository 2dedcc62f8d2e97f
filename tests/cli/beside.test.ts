// What is asked beside the loop, through the real program: it moves nothing, tells its own result, and is asked once.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDesk, stub, type Desk } from "./program.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Logged {
  readonly events: { readonly event: { readonly type: string; readonly lane?: string } }[];
}

const types = (desk: Desk, runId: string) =>
  desk
    .thehood(["logs", runId, "--json"])
    .json<Logged>()
    .events.map(({ event }) => event.type);

function created(desk: Desk, script: unknown = {}): string {
  return desk
    .thehood(["run", "fix add", "--team", "stub", "--no-loop", "--json", ...stub(script)])
    .json<{ runId: string }>().runId;
}

describe("a run that was stopped", () => {
  it("[R-50] does not advance while an agent is summoned, a command runs and evidence is taken", () => {
    const desk = openTestDesk();
    const runId = created(desk);
    expect(desk.thehood(["summon", runId, "--role", "critic", "--brief", "look"]).code).toBe(0);
    expect(desk.thehood(["evidence", runId]).code).toBe(0);
    expect(desk.thehood(["exec", runId, "--", "node", "--version"]).out).toMatch(/^v\d+/);
    expect(types(desk, runId)).not.toContain("run_ready");
    expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ counts: { responses: 0 } });
    expect(desk.thehood(["continue", runId]).code).toBe(3);
  });
});

describe("a command", () => {
  it("never shows what another command printed: one that waits for a yes has printed nothing", () => {
    const desk = openTestDesk();
    const runId = created(desk);
    expect(desk.thehood(["exec", runId, "--", "echo", "first"]).out).toBe("first\n");
    const asked = desk.thehood(["exec", runId, "--", "no-such-program"]);
    expect(asked.code).toBe(3);
    expect(asked.out).toContain("command: no-such-program");
    expect(asked.out).not.toContain("first");
    const behind = desk.thehood(["exec", runId, "--", "echo", "second"]);
    expect(behind.code).toBe(3);
    expect(behind.err).toContain("waits until the gate before it is answered");
    const allowed = desk.thehood(["approve", runId, "--message", "run unknown command"]);
    expect(allowed.code).toBe(0);
    expect(allowed.err).toContain("no-such-program: not_started");
    expect(allowed.err).toContain("echo second: exit 0");
    expect(types(desk, runId)).not.toContain("run_ready");
  });

  it("[S-6] runs in the repository or not at all, and a refusal leaves no event", () => {
    const desk = openTestDesk();
    const runId = created(desk);
    mkdirSync(join(desk.repo.dir, "inside"));
    symlinkSync(tmpdir(), join(desk.repo.dir, "link"));
    const before = types(desk, runId).length;
    for (const cwd of ["..", "src/../..", "/etc", "link", "missing", "README.md"]) {
      const ran = desk.thehood(["exec", runId, "--cwd", cwd, "--json", "--", "pwd"]);
      expect(ran.code, cwd).toBe(2);
      expect(ran.json<{ error: { remedy: string } }>().error.remedy).toContain("below the repository");
    }
    expect(types(desk, runId)).toHaveLength(before);
    for (const cwd of ["inside", join(desk.repo.dir, "inside")])
      expect(desk.thehood(["exec", runId, "--cwd", cwd, "--", "pwd"]).out).toMatch(/\/inside\n$/);
  });

  it("[R-60] asks about the network and about installs as the user's policy says", () => {
    const asked = (policy: object, ...argv: string[]) => {
      const desk = openTestDesk();
      mkdirSync(join(desk.home, "config"), { recursive: true });
      writeFileSync(join(desk.home, "config", "config.json"), JSON.stringify({ policy }));
      const ran = desk.thehood(["exec", created(desk), "--json", "--", ...argv]);
      return ran.json<{ gate?: { kind: string } }>().gate?.kind ?? "not asked";
    };
    // Nobody listens at this address: what is shown is whether the line was asked about.
    const reach = ["curl", "-s", "http://127.0.0.1:9/"];
    expect(asked({}, ...reach)).toBe("risky_command");
    expect(asked({ networkRequiresApproval: false }, ...reach)).toBe("not asked");
    expect(asked({ networkRequiresApproval: false }, "npm", "ci")).toBe("risky_command");
  });

  it("ends with the exit code of the command, and with one of ours when it did not run", () => {
    const desk = openTestDesk();
    const runId = created(desk);
    const ran = desk.thehood(["exec", runId, "--json", "--", "sh", "-c", "exit 3"]);
    expect(ran.code).toBe(3);
    expect(ran.json()).toMatchObject({ ok: false, exitCode: 3 });
    expect(desk.thehood(["exec", runId, "--", "sh", "-c", "exit 41"]).code).toBe(41);
    const asked = desk.thehood(["exec", runId, "--json", "--", "curl", "https://example.org"]);
    expect(asked.code).toBe(3);
    expect(asked.json()).not.toHaveProperty("exitCode");
    expect(desk.thehood(["exec", runId, "--", ""]).code).toBe(2);
  });
});

describe("beside a process that advances the run", () => {
  it("[R-50] a summon is asked once: the other process takes it along and its answer is shown", async () => {
    const desk = openTestDesk();
    const runId = created(desk, { roles: { planner: [{ delayMs: 8_000 }] } });
    const other = desk.spawn(["loop", runId]);
    const ended = new Promise((done) => other.once("exit", done));
    await waitUntil(() => types(desk, runId).includes("provider_wait_posted"), "the planner is asked");
    const asked = desk.thehood(["summon", runId, "--role", "critic", "--brief", "look", "--json"]);
    await ended;
    expect(asked.err).toContain("is being advanced by process");
    expect(asked.code).toBe(0);
    expect(asked.json()).toMatchObject({ ok: true, results: [{ outcome: "completed" }] });
    expect(types(desk, runId).filter((type) => type === "side_requested")).toHaveLength(1);
  });
});

describe("words that are too long", () => {
  it("are refused with a remedy and change nothing", () => {
    const desk = openTestDesk();
    const runId = created(desk);
    const ran = desk.thehood(["abort", runId, "--reason", "x".repeat(5_000), "--json"]);
    expect(ran.code).toBe(2);
    expect(ran.json()).toMatchObject({ error: { code: "invalid_input" } });
    expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ state: "planning" });
  });
});
