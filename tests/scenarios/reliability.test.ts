import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { scratchRoot } from "../../src/runtime/effects/scratch.ts";
import { afterEach, describe, expect, it } from "vitest";
import { createAgentProgram } from "../../src/agents/index.ts";
import { scratchFolders, cleanUp, fix, git, quickCheck, runner, start } from "./harness.ts";

afterEach(cleanUp);

const autopilot = { approvals: "autopilot" } as const;

/** A stand-in agent: a shell line that gets the directive on its standard input. */
const agent = (line: string) =>
  createAgentProgram(
    {
      id: "stand-in",
      about: "a program of the test",
      boundary: "local",
      program: "sh",
      install: "nothing to install",
      models: ["a"],
      variables: [],
      command: () => ({ args: ["-c", line], permissionMode: "none" }),
    },
    { runner, home: homedir(), variables: process.env },
  );

describe("a provider that is a program", () => {
  it("[R-17] one that reads its input and exits at once is a failure at once", async () => {
    const run = await (
      await start({
        policy: autopilot,
        roles: { planner: "stand-in:a" },
        providers: [agent("read line; exit 1")],
      })
    ).drive();
    expect(run.state, run.story()).toBe("awaiting_approval");
    expect(run.events("approval_required").at(-1)?.gate).toMatchObject({
      kind: "provider_blocked",
      failureClass: "provider_error",
    });
  });

  it("[R-17] one that never reads its input is a failure too, and leaves no wait behind", async () => {
    const run = await (
      await start({
        policy: autopilot,
        roles: { planner: "stand-in:a" },
        providers: [agent("exec false")],
      })
    ).drive();
    expect(run.state, run.story()).toBe("awaiting_approval");
    expect(run.run.asking).toBeNull();
  });

  it.each([
    ["test", "test_failure"],
    ["lint", "lint_failure"],
    ["typecheck", "typecheck_failure"],
    ["build", "build_failure"],
  ] as const)("[R-17] a %s check that fails is a %s at the gate", async (kind, failureClass) => {
    const run = await start({
      policy: {
        ...autopilot,
        checks: [{ id: "red", kind, argv: ["grep", "-q", "never there", "src/add.js"] }],
      },
      script: {
        roles: {
          implementer: [{ edits: [fix] }],
          verifier: [{ payload: { verdict: "approve", summary: "fine" } }],
        },
      },
    });
    await run.drive();
    expect(run.gate, run.story()).toMatchObject({ kind: "validation_waiver", failureClass });
  });

  it("[R-23] one that edits works in the worktree only; how it ran is on record, redacted", async () => {
    const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    const marker = String.raw`marker=$(grep -o '"marker": "[^"]*"' | head -1 | cut -d'"' -f4)`;
    const line = `${marker}; sed -i 's/a - b/a + b/' src/add.js; echo "token ${secret}" >&2; touch "$HOME/escape" /escape 2>/dev/null; printf '{"status":"ok","summary":"done","data":{"implementationResult":{"status":"changed","thehoodDirectiveAck":"%s"}}}' "$marker"`;
    const run = await (
      await start({
        policy: autopilot,
        roles: { implementer: "stand-in:a" },
        providers: [agent(line)],
      })
    ).drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("src/add.js")).toContain("a + b");
    const response = run.events("agent_response").find(({ role }) => role === "implementer");
    const record = response?.artifacts.find(({ kind }) => kind === "provider_invocation");
    const kept = run.json(record);
    expect(kept).toMatchObject({
      role: "implementer",
      provider: "stand-in",
      model: "a",
      command: expect.stringMatching(/sh$/),
      args: ["-c", expect.stringContaining("sed -i 's/a - b/a + b/' src/add.js")],
      exitCode: 0,
      workspaceMode: "worktree",
      commandMode: "edit-capable",
      sandbox: expect.stringMatching(/^(?:bubblewrap|none)$/),
      permissionMode: "none",
      timedOut: false,
      responseParsed: true,
      stderrLength: `token ${secret}\n`.length,
    });
    const [captured] = run.events("isolated_patch_captured");
    expect(run.json(captured?.invocation)).toEqual({ ...kept, patchArtifact: captured?.patch?.full.ref });
    expect(run.text(kept["stdoutRef"] as string)).toContain("implementationResult");
    expect(run.text(kept["stderrRef"] as string)).toMatch(/^token \S+\n$/);
    expect(kept["stdoutLength"]).toBe(run.text(kept["stdoutRef"] as string).length);
    for (const { ref } of response?.artifacts ?? []) expect(run.text(ref)).not.toContain(secret);
    expect(existsSync("/escape")).toBe(false);
  });

  it("[R-14] silence ends at the deadline", async () => {
    const run = await (
      await start({
        policy: { ...autopilot, budgets: { callTimeoutMs: 300 } },
        script: { roles: { planner: [{ behave: "silent" }] } },
      })
    ).drive();
    expect(run.state, run.story()).toBe("awaiting_approval");
    expect(run.events("agent_response")[0]?.outcome).toMatchObject({ result: "failed", timedOut: true });
  });

  it("a provider that cannot be reached is reported with its remedy, and nothing was sent", async () => {
    const run = await (
      await start({
        policy: autopilot,
        script: { roles: { planner: [{ behave: "unavailable" }] } },
      })
    ).drive();
    expect(run.events("agent_response")[0]?.outcome).toMatchObject({ result: "not_sent" });
    expect(run.state, run.story()).not.toBe("completed");
  });
});

describe("budgets are enforced", () => {
  it("[R-15] the call that would exceed the iterations does not happen", async () => {
    const run = await (
      await start({
        policy: { ...autopilot, budgets: { maxIterations: 3 } },
        script: { roles: { implementer: [{ edits: [fix] }] } },
      })
    ).drive();
    expect(run.state, run.story()).toBe("awaiting_approval");
    expect(run.events("approval_required").at(-1)?.gate).toMatchObject({
      kind: "answer_budget",
      cause: "max_iterations",
      failureClass: "budget_exhausted",
    });
    expect(run.events("provider_wait_posted")).toHaveLength(3);
  });

  it("[R-14] the token budget counts what providers report, and stops with a question", async () => {
    const run = await (
      await start({
        policy: { ...autopilot, budgets: { maxTokens: 1_000 } },
        script: { roles: { planner: [{ usage: { inputTokens: 900, outputTokens: 200 } }] } },
      })
    ).drive();
    expect(run.gate.kind, run.story()).toBe("token_budget");
    await run.answer("extend", "", { addTokens: 1_000_000 });
    await run.drive();
    expect(run.events("budget_extended")).toHaveLength(1);
    expect(run.events("agent_response").length).toBeGreaterThan(1);
  });

  it("[R-14] [B-12] the time budget bounds a call that would outlive it, and more time lets it be made again", async () => {
    const run = await (
      await start({
        policy: { ...autopilot, checks: [], discoverChecks: false, budgets: { maxMinutes: 0.1 } },
        script: { roles: { planner: [{ behave: "silent" }, { behave: "silent" }] } },
      })
    ).drive();
    expect(run.gate.kind, run.story()).toBe("time_budget");
    expect(run.events("agent_response")[0]?.outcome).toMatchObject({ result: "failed", timedOut: true });
    await run.answer("extend", "", { addMinutes: 0.05 });
    await run.drive();
    expect(run.gate.kind, run.story()).toBe("time_budget");
    expect(run.events("agent_asked").map(({ call }) => call.role)).toEqual(["planner", "planner"]);
  });

  it("[R-14] and a check: it is stopped, proves nothing, and runs again when there is more time", async () => {
    const argv: [string, ...string[]] = ["node", "-e", "setInterval(() => {}, 1000)"];
    const run = await (
      await start({
        policy: { ...autopilot, checks: [{ ...quickCheck, argv }], budgets: { maxMinutes: 0.1 } },
        script: { roles: { implementer: [{ edits: [fix] }] } },
      })
    ).drive();
    expect(run.gate.kind, run.story()).toBe("time_budget");
    await run.answer("extend", "", { addMinutes: 0.05 });
    await run.drive();
    expect(run.gate.kind, run.story()).toBe("time_budget");
    const cut = { variant: "base", result: "timed_out", cut: true, note: "the run's time was used up" };
    expect(run.events("check_executed").map(({ check }) => check)).toMatchObject([cut, cut]);
  });
});

describe("stopping", () => {
  it("[R-14] an abort ends a call that is under way, and the worktree goes with its work pinned", async () => {
    const run = await start({
      policy: autopilot,
      script: { roles: { implementer: [{ edits: [fix], delayMs: 30_000 }] } },
    });
    const going = run.go();
    await until(() => run.events("provider_wait_posted").length === 3);
    await run.submit({ type: "abort", reason: "changed my mind", by: { kind: "person", surface: "cli" } });
    await going;
    expect(run.state).toBe("aborted");
    expect(existsSync(join(run.dir, ".thehood/worktrees", run.runId))).toBe(false);
    expect(run.file("src/add.js")).toContain("a - b");
  });

  it("[R-10] terminal states are final", async () => {
    const run = await (
      await start({
        policy: autopilot,
        script: { roles: { implementer: [{ edits: [fix] }] } },
      })
    ).drive();
    expect(run.state).toBe("completed");
    await expect(
      run.submit({ type: "abort", reason: "late", by: { kind: "person", surface: "cli" } }),
    ).rejects.toThrow();
    expect(run.state).toBe("completed");
  });

  it("an interrupted process leaves a run that another one takes to the end", async () => {
    const run = await start({
      policy: autopilot,
      script: { roles: { verifier: [{ delayMs: 30_000 }], implementer: [{ edits: [fix] }] } },
    });
    const stop = new AbortController();
    const going = run.go({ signal: stop.signal });
    await until(
      () => run.events("agent_asked").at(-1)?.call.role === "verifier" && run.run.calls.at(-1)?.posted !== null,
    );
    stop.abort();
    await going;
    await run.reopen();
    await run.go();
    expect(run.gate.kind, run.story()).toBe("provider_in_doubt");
    await run.answer("retry");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
  });
});

describe("a process that is killed", () => {
  const killed = async (script: Parameters<typeof start>[0], when: (types: string[]) => boolean) => {
    const run = await start({ policy: autopilot, ...script });
    const child = spawn(process.execPath, [join(import.meta.dirname, "continue-program.ts"), run.dir, run.runId], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = new Promise((resolve) => child.on("close", resolve));
    let seen = "";
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      if (when(seen.split("\n"))) child.kill("SIGKILL");
    });
    await closed;
    return await run.reopen();
  };

  it("[R-14] in a provider call: the call is in doubt, never repeated by itself, and the run goes on to its end", async () => {
    const run = await killed(
      { script: { roles: { implementer: [{ edits: [fix], delayMs: 60_000 }, { edits: [fix] }] } } },
      (types) => types.filter((line) => line === "provider_wait_posted").length >= 3,
    );
    const before = run.events("provider_wait_posted").length;
    await run.go();
    expect(run.gate.kind, run.story()).toBe("provider_in_doubt");
    expect(run.events("provider_wait_posted")).toHaveLength(before);
    await run.answer("retry");
    await run.drive();
    expect(run.state, run.story()).toBe("completed");
    expect(run.file("src/add.js")).toContain("a + b");
    expect(git(run.dir, "worktree", "list").split("\n")).toHaveLength(1);
    expect(existsSync(scratchRoot(scratchFolders, run.dir, run.runId))).toBe(false);
    expect((await run.opened.store.log.verify(run.runId)).problems).toEqual([]);
  });

  it.each(["isolated_patch_captured", "patch_applied", "check_executed", "agent_directive_created"])(
    "right after %s: the run goes on to the same end",
    async (type) => {
      const run = await killed({ script: { roles: { implementer: [{ edits: [fix] }] } } }, (types) =>
        types.includes(type),
      );
      for (let round = 0; round < 3; round += 1) {
        await run.go();
        if (run.state !== "awaiting_approval") break;
        expect(run.gate.kind).toBe("provider_in_doubt");
        await run.answer("retry");
      }
      expect(run.state, run.story()).toBe("completed");
      expect(run.file("src/add.js")).toBe("export const add = (a, b) => a + b;\n");
      expect(git(run.dir, "status", "--porcelain")).toBe(" M src/add.js");
      expect(git(run.dir, "worktree", "list").split("\n")).toHaveLength(1);
    },
  );
});

async function until(done: () => boolean): Promise<void> {
  for (let round = 0; round < 600; round += 1) {
    if (done()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it never came");
}
