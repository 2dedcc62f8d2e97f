// A vendor's bad minute: an agent program that fails in every way leaves a run that waits with its reason, and another
// agent finishes it from our artifacts.
import { homedir } from "node:os";
import process from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { createAgentProgram } from "../../src/agents/cli/index.ts";
import { compactStatus } from "../../src/core/machine/view/index.ts";
import type { ResolvedAssignment } from "../../src/core/contract/index.ts";
import type { StubScript } from "../../src/agents/index.ts";
import { cleanUp, fix, person, put, runner, sample, start } from "./harness.ts";

afterAll(cleanUp);

const agent = (line: string) =>
  createAgentProgram(
    {
      id: "stand-in",
      about: "a shell line",
      boundary: "local",
      program: "bash",
      install: "none",
      models: ["a"],
      variables: [],
      command: () => ({ args: ["-c", line], permissionMode: "none" }),
      spends: (event) =>
        typeof event["used"] === "number"
          ? {
              id: String(event["turn"]),
              inputTokens: event["used"],
              outputTokens: 0,
              costUsd: event["used"] / 100,
            }
          : undefined,
    },
    { runner, home: homedir(), variables: process.env },
  );

const autopilot = { approvals: "autopilot" } as const;
const other = {
  provider: "stub",
  model: "x",
  boundary: "local",
  modelBacked: false,
  edits: "worktree",
} as const;

/** What the fake program does, and the words that the first screen must show. */
const misdeeds: readonly (readonly [name: string, line: string, shown: RegExp])[] = [
  ["dies at once", "exit 7", /code 7/],
  ["dies by a signal after half an answer", "printf '{\"status\":'; kill -9 $$", /signal SIGKILL|code 137/],
  ["says what its vendor says", "echo '529 overloaded' >&2; exit 1", /529 overloaded/],
  ["ends well and says nothing", "cat > /dev/null; exit 0", /without keeping its contract|without an answer/],
  ["prints garbage", "head -c 20000 /dev/urandom", /without keeping its contract/],
  ["answers by another schema", `echo '{"ok":true,"choices":[{"message":"hi"}]}'`, /without keeping its contract/],
  [
    "floods its output",
    "yes 0123456789012345678901234567890123456789",
    /without keeping its contract|printed too much/,
  ],
  ["hangs", "sleep 600", /did not answer in time/],
  ["hears no signal", "trap '' TERM INT HUP; while :; do sleep 600; done", /did not answer in time/],
  [
    "complains at great length",
    "yes 'warning: retrying' | head -c 3000000 >&2; echo 'quota exceeded for this plan' >&2; exit 1",
    /quota exceeded for this plan/,
  ],
  [
    "loses its login in the middle",
    "printf '{\"status\":\"completed\",'; echo 'token expired: run login again' >&2; exit 1",
    /token expired: run login again/,
  ],
];

describe("[B-11] an agent program that fails", () => {
  it.each(misdeeds)(
    "%s: the run waits with the reason, and another agent verifies the same work",
    async (_name, line, shown) => {
      const run = await start({
        policy: { ...autopilot, budgets: { callTimeoutMs: line.includes("sleep 600") ? 1_500 : 60_000 } },
        roles: { verifier: "stand-in:a", qa: null, critic: null },
        providers: [agent(line)],
        script: { roles: { implementer: [{ edits: [fix] }] } },
      });
      await run.drive();
      expect(run.state, run.story()).toBe("awaiting_approval");
      expect(run.gate.kind).toBe("provider_blocked");
      const status = compactStatus(run.run);
      expect(status.gate?.preview).toMatch(shown);
      expect(run.file("src/add.js")).toContain("a - b");
      await run.submit({
        type: "switch_role",
        role: "verifier",
        assignment: { ...other, assignment: "stub:x", identity: "stub:x", source: "run" },
        by: { kind: "person", surface: "cli" },
      });
      expect(run.gate.kind).toBe("role_switch");
      await run.answer("approve");
      await run.answer("approve");
      await run.drive();
      expect(run.state, run.story()).toBe("completed");
      expect(run.file("src/add.js")).toContain("a + b");
    },
  );
});

const roles = ["orchestrator", "planner", "implementer", "qa", "verifier", "critic"] as const;
/** QA asks for evidence, so that the critic is called too. */
const doubting: StubScript = {
  roles: {
    // By the number of the call: the one who takes the role up is asked later.
    implementer: Array.from({ length: 6 }, () => ({ edits: [fix] })),
    qa: [{ payload: { verdict: "needs_more_evidence", summary: "which input?" } }],
  },
};
const failures: readonly (readonly [name: string, line: string])[] = [
  ["an overloaded vendor after half the work", "echo x > stray.txt; echo '529 overloaded' >&2; exit 1"],
  ["garbage", "head -c 20000 /dev/urandom"],
  ["half an answer", "printf '{\"status\":'; kill -9 $$"],
  ["silence", "sleep 600"],
];
const troubled = (role: (typeof roles)[number], line: string, more = {}) =>
  start({
    policy: { ...autopilot, budgets: { callTimeoutMs: line.startsWith("sleep") ? 1_500 : 60_000 } },
    roles: { [role]: "stand-in:a" },
    providers: [agent(line)],
    script: doubting,
    more,
  });
const second: ResolvedAssignment = {
  ...other,
  assignment: "stub:second",
  identity: "stub:second",
  model: "second",
  source: "run",
  options: doubting,
};

describe("[B-11] an agent program that fails in any role", () => {
  // A failure for each role here; the other sets try each with each.
  const pairs = roles.flatMap((role, at) =>
    failures
      .filter((_, kind) => process.env["THEHOOD_TEST_SET"] !== undefined || kind === at % failures.length)
      .map(([name, line]) => ({ role, name, line })),
  );
  it.each(pairs)(
    "$role, $name: the run waits at a gate, and another agent takes the role up",
    async ({ role, line }) => {
      const run = await troubled(role, line);
      await run.drive();
      expect(run.state, run.story()).toBe("awaiting_approval");
      expect(run.gate.kind).toBe("provider_blocked");
      expect(run.gate.role).toBe(role);
      expect(run.file("src/add.js")).toContain("a - b");
      await run.submit({ type: "switch_role", role, assignment: second, by: person });
      await run.drive("role_switch", "provider_blocked");
      expect(run.state, run.story()).toBe("completed");
      expect(run.file("src/add.js")).toContain("a + b");
    },
  );

  it.each(roles)("%s: the next of the user's list takes the role up, and no person is asked", async (role) => {
    const line = "printf '{\"status\":'; kill -9 $$";
    const run = await troubled(role, line, { fallbacks: { [role]: [second] } });
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    const taken = run.events("role_assigned").map(({ role: at, assignment }) => [at, assignment.assignment]);
    expect(taken).toContainEqual([role, "stub:second"]);
  });
});

describe("[B-12] a call that uses up the budget", () => {
  it.each([
    [
      "reported tokens",
      { maxTokens: 5_000 },
      { addTokens: 5_000 },
      `for n in 1 2 3 4 5 6 7 8 9; do echo "{\\"turn\\":$n,\\"used\\":2000}"; sleep 0.2; done; sleep 600`,
      "token_budget",
    ],
    [
      "reported money",
      { maxUsd: 50 },
      { addUsd: 50 },
      `for n in 1 2 3 4 5 6 7 8 9; do echo "{\\"turn\\":$n,\\"used\\":2000}"; sleep 0.2; done; sleep 600`,
      "money_budget",
    ],
    [
      "bytes alone",
      { maxTokens: 60_000 },
      { addTokens: 60_000 },
      "while :; do head -c 4000 /dev/zero | tr '\\\\0' x; done",
      "token_budget",
    ],
  ] as const)(
    "by %s is stopped while it works, counted, and asked about; with more of it the call is made again, and stopped at the new limit",
    async (_name, budgets, more, line, gate) => {
      const run = await start({
        policy: { ...autopilot, budgets },
        roles: { planner: "stand-in:a" },
        providers: [agent(line)],
      });
      await run.drive();
      expect(run.gate.kind, run.story()).toBe(gate);
      expect(run.gate.subject.text).toContain("was stopped: it used up");
      const [response] = run.events("agent_response");
      expect(response?.outcome).toMatchObject({
        result: "failed",
        timedOut: false,
        budget: gate.split("_")[0],
      });
      const { inputTokens, outputTokens } = response?.usage ?? { inputTokens: 0, outputTokens: 0 };
      expect(inputTokens + outputTokens).toBeGreaterThan(4_000);
      expect(run.run.spent.tokens).toBe(inputTokens + outputTokens);
      expect(compactStatus(run.run).counts.cost).not.toBe("");
      const before = run.run.spent.tokens;
      await run.answer("extend", "", more);
      await run.drive();
      expect(run.gate.kind, run.story()).toBe(gate);
      expect(run.events("agent_asked").map(({ call }) => call.role)).toEqual(["planner", "planner"]);
      expect(run.run.spent.tokens).toBeGreaterThan(before + 4_000);
    },
  );
});

it("[R-13] AGENTS.md and CLAUDE.md of the base commit reach the planner and the worker, as data of the repository", async () => {
  const words = "Write every test name as a question.";
  const run = await start({
    policy: autopilot,
    files: { ...sample, "AGENTS.md": `${words}\n`, "CLAUDE.md": "See AGENTS.md.\n" },
    script: { roles: { implementer: [{ edits: [fix] }] } },
  });
  put(run.dir, "AGENTS.md", "An edit that was not committed.\n");
  await run.drive();
  const directives = run.events("agent_directive_created").map(({ record }) => run.text(record.directive));
  const withWords = directives.filter((text) => text.includes(words));
  expect(withWords.length).toBeGreaterThanOrEqual(2);
  expect(withWords[0]).toContain("repository_instructions: AGENTS.md of the base commit");
  expect(withWords[0]).toContain("they permit nothing that it does not");
  expect(directives.join("\n")).not.toContain("was not committed");
});
