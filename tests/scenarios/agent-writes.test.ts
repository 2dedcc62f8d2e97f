// An agent that writes where its role does not let it: kept from it by the sandbox, or found out by the prints.
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterEach, describe, expect, it } from "vitest";
import type { CommandRunner } from "../../src/core/contract/index.ts";
import { createAgentProgram } from "../../src/agents/index.ts";
import { createCommandRunner } from "../../src/platform/sandbox/index.ts";
import { cleanUp, fix, git, project, put, runner, start, unchecked } from "./harness.ts";

afterEach(cleanUp);

const environment = { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };
const unconfined = createCommandRunner({ environment, sandbox: "off" });
const walls = (await runner.confinement()) === "bubblewrap";
const walled = (title: string) => (walls ? title : `${title} (skipped: bubblewrap is not here)`);
const marker = String.raw`marker=$(grep -o '"marker": "[^"]*"' | head -1 | cut -d'"' -f4)`;
const answers = {
  planner: '"plannerDecision":{"action":"delegate","reason":"go","delegateTo":"implementer",',
  verifier: '"verificationResult":{"verdict":"approve","summary":"fine",',
  implementer: '"implementationResult":{"status":"changed",',
};

/** Does something, then answers as it should. */
const agent = (role: keyof typeof answers, line: string, by: CommandRunner) =>
  createAgentProgram(
    {
      id: "stand-in",
      about: "a program of the test",
      boundary: "local",
      program: "sh",
      install: "nothing to install",
      models: ["a"],
      variables: [],
      command: () => ({
        args: [
          "-c",
          `${marker}; ${line}; printf '{"status":"ok","summary":"done","data":{${answers[role]}"thehoodDirectiveAck":"%s"}}}' "$marker"`,
        ],
        permissionMode: "none",
      }),
    },
    { runner: by, home: homedir(), variables: environment },
  );

const drive = async (role: keyof typeof answers, line: string, by: CommandRunner, dir = project()) =>
  (
    await start({
      dir,
      policy: { ...unchecked, approvals: "autopilot" },
      roles: { [role]: "stand-in:a" },
      script: { roles: { implementer: [{ edits: [fix] }] } },
      providers: [agent(role, line, by)],
    })
  ).drive();

describe("a reader that writes", () => {
  it.each([
    ["a new file", "echo evil > evil.txt", "evil.txt"],
    ["a file it changes", "echo evil >> README.md", "README.md"],
    ["a hook", "echo evil > .git/hooks/post-checkout", ".git/hooks/post-checkout"],
    ["a commit", "git -c user.name=a -c user.email=a@a commit -q --allow-empty -m x", ".git/HEAD"],
  ])("[R-2] [R-30] without a sandbox %s is found, named, and fails the call", async (what, line, path) => {
    // A reader of the work has a folder of its own without hooks. A planner reads the checkout.
    const reader = what === "a hook" ? "planner" : "verifier";
    const run = await drive(reader, line, unconfined);
    expect(run.state, run.story()).toBe("failed");
    expect(run.events("run_failed")[0]).toMatchObject({
      failureClass: "unsafe_action",
      message: expect.stringContaining(path),
    });
    const response = run.events("agent_response").find(({ role }) => role === reader);
    expect(response?.outcome).toMatchObject({
      result: "failed",
      violation: { kind: "checkout_changed", paths: expect.arrayContaining([path]) },
    });
  });

  it.skipIf(!walls)(walled("[R-2] [R-30] within the sandbox it cannot, and its answer counts"), async () => {
    const dir = project();
    const lines = "echo evil > evil.txt; echo evil >> README.md; echo evil > .git/hooks/post-checkout";
    const run = await drive("verifier", lines, runner, dir);
    expect(run.state, run.story()).toBe("completed");
    expect(git(dir, "status", "--short")).toBe(" M src/add.js");
  });

  it.skipIf(!walls)(
    walled("[R-30] what another process changes meanwhile is noted, and no agent is blamed"),
    async () => {
      const dir = project();
      /** The user's editor saves a file while the verifier reads. */
      const beside: CommandRunner = {
        ...runner,
        run: (request) => {
          put(dir, "README.md", "# Mine\n");
          return runner.run(request);
        },
      };
      const run = await drive("verifier", "true", beside, dir);
      expect(run.state, run.story()).toBe("completed");
      const response = run.events("agent_response").find(({ role }) => role === "verifier");
      const record = response?.artifacts.find(({ kind }) => kind === "provider_invocation");
      expect(run.json(record)).toMatchObject({
        sandbox: "bubblewrap",
        changedCheckout: ["README.md"],
        changedCheckoutBy: expect.stringContaining("another process"),
      });
    },
  );
});

describe("a worker that writes outside of its worktree", () => {
  it("[R-30] without a sandbox a write into the checkout is found and fails the call", async () => {
    const dir = project();
    const run = await drive("implementer", `echo evil > ${join(dir, "evil.txt")}`, unconfined, dir);
    expect(run.state, run.story()).toBe("failed");
    expect(run.events("run_failed")[0]).toMatchObject({ failureClass: "unsafe_action" });
  });

  it.skipIf(!walls)(
    walled("[R-30] within the sandbox there is no such write, nor a look at our own records"),
    async () => {
      const dir = project();
      const line = `sed -i 's/a - b/a + b/' src/add.js; echo evil > ${join(dir, "evil.txt")}; ls -A ${join(dir, ".thehood")} > seen.txt`;
      const run = await drive("implementer", line, runner, dir);
      expect(run.state, run.story()).toBe("completed");
      expect(git(dir, "status", "--short").split("\n").toSorted()).toEqual([" M src/add.js", "?? seen.txt"]);
      expect(run.file("seen.txt")).toBe("");
    },
  );

  it("[R-31] without a sandbox a stash of its own is shown at the gate and kept, and the user's list stays as it was", async () => {
    const dir = project();
    const stash = "echo aside >> README.md; git -c user.name=a -c user.email=a@a stash -q";
    const run = await drive("implementer", `${stash}; sed -i 's/a - b/a + b/' src/add.js`, unconfined, dir);
    expect(git(dir, "stash", "list")).toBe("");
    expect(run.gate?.subject.text, run.story()).toContain("The worker set work aside with git stash");
    const held = git(dir, "for-each-ref", "--format=%(refname)", "refs/thehood/commit/").split("\n")[0];
    const [, line] = git(dir, "cat-file", "blob", `${held}:commit`).match(/^parent .*$/gm) ?? [];
    expect(git(dir, "show", `${held}:${line?.slice("parent ".length)}.files/README.md`)).toContain("aside");
  });
});
