// Commands that a verifier asks for, through the real program: run on a copy of the work, gated like every command, and
// handed back to the verifier, who alone gives the verdict.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub, type Desk } from "./program.ts";

interface Logged {
  readonly type: string;
  readonly role?: string;
  readonly outcome?: { brief?: { verdict?: string } } | string;
  readonly command?: {
    argv: string[];
    exitCode: number | null;
    stdout: { ref: string } | null;
    permission: { decision: string; class: string };
  };
  readonly record?: { directive?: { ref: string } };
}

const approve = { payload: { verdict: "approve", summary: "fine" } };
const asks = (...requestedCommands: string[]) => ({
  payload: { verdict: "approve", summary: "let me see", requestedCommands },
});
const start = (desk: Desk, ...verifier: unknown[]) => {
  desk.thehood(["teams", "apply", "stub"]);
  const script = { roles: { ...fixing.roles, verifier } };
  return desk
    .thehood(["run", "fix add", "--approvals", "autopilot", "--json", ...stub(script)])
    .json<{ runId: string; state: string }>();
};
const logOf = (desk: Desk, runId: string): Logged[] =>
  desk
    .thehood(["logs", runId, "--json"])
    .json<{ events: { event: Logged }[] }>()
    .events.map(({ event }) => event);
const ran = (log: Logged[]) => log.flatMap(({ command }) => (command ? [command] : []));
const directivesOf = (log: Logged[]) => log.flatMap(({ record }) => (record?.directive ? [record.directive.ref] : []));
const verdicts = (log: Logged[]) =>
  log.flatMap(({ type, role, outcome }) =>
    type === "agent_response" && role === "verifier" && typeof outcome === "object" ? [outcome.brief?.verdict] : [],
  );

describe("commands that a verifier asks for", () => {
  it("[R-6] [R-33] run on a copy of the work and come back to the verifier as recorded output", () => {
    const desk = openTestDesk();
    const line = "cat src/add.js; echo made > by-verifier.txt; ls by-verifier.txt";
    const { runId, state } = start(desk, asks(line), approve);
    const log = logOf(desk, runId);
    expect(state).toBe("completed");
    expect(verdicts(log)).toEqual(["approve", "approve"]);
    const [command, ...more] = ran(log);
    expect(more).toEqual([]);
    expect(command).toMatchObject({ argv: ["bash", "-c", line], exitCode: 0 });
    const output = desk.thehood(["artifact", runId, command?.stdout?.ref ?? ""]).out;
    expect(output).toContain("a + b");
    expect(existsSync(join(desk.repo.dir, "by-verifier.txt"))).toBe(false);
    const directives = directivesOf(log);
    const second = desk.thehood(["artifact", runId, directives.at(-1) ?? ""]).out;
    expect(second).toContain("requested_command_1 stdout");
    expect(second).toContain("by-verifier.txt");
  });

  it("[S-9] a risky one waits at a gate also on autopilot; refused, it never runs, and the verifier learns it", () => {
    const desk = openTestDesk();
    const answers = [asks("curl -s http://example.invalid/x"), approve];
    const { runId, state } = start(desk, ...answers);
    expect(state).toBe("verifying");
    const [gate] = desk
      .thehood(["show", runId, "--json"])
      .json<{ gates: { kind: string; subject: { text: string } }[] }>().gates;
    expect(gate).toMatchObject({ kind: "risky_command" });
    expect(gate?.subject.text).toContain("The verifier asks for this command: curl -s http://example.invalid/x");
    expect(desk.thehood(["reject", runId, "-m", "no network"]).code).toBe(0);
    const log = logOf(desk, runId);
    expect(ran(log)).toEqual([]);
    expect(log.some(({ type }) => type === "run_completed")).toBe(true);
    expect(verdicts(log)).toEqual(["approve", "approve"]);
    const directives = directivesOf(log);
    expect(desk.thehood(["artifact", runId, directives.at(-1) ?? ""]).out).toContain("refused at risky_command");
  });
});
