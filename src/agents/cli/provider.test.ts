import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { providerCall } from "../../../tests/support/provider-call.ts";
import { FailureError, type ProviderCall, type ProviderPort } from "../../core/contract/index.ts";
import { createCommandRunner } from "../../platform/sandbox/index.ts";
import { type StubStep, stubAnswer } from "../stub/index.ts";
import { providerConformance, titleOf } from "../../../tests/support/conformance/index.ts";
import { type AgentDeps, type AgentProgram, createAgentProgram } from "./index.ts";

const variables = { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };
const runner = createCommandRunner({ environment: variables });

/** A stand-in agent: its options are the program it runs. */
const standIn: AgentProgram = {
  id: "stand-in",
  about: "a program of the test",
  boundary: "local",
  program: "env",
  install: "nothing to install",
  models: ["big-one"],
  variables: [],
  command: ({ call }) => ({ args: call.options as string[], permissionMode: "none" }),
};
const host = (more: Partial<AgentDeps> = {}): AgentDeps => ({ runner, home: homedir(), variables, ...more });
const agent = createAgentProgram(standIn, host());

describe("an agent program joins the provider conformance suite", () => {
  const shell = (script: string) => () => ({
    provider: agent,
    model: "default",
    options: ["sh", "-c", script],
  });
  /** Reads its standard input, then prints what the stub would answer. */
  const printing = (before: string, step: StubStep) => (call: ProviderCall) =>
    shell(`cat >/dev/null; ${before}\ncat <<'END'\n${stubAnswer(call, step)}\nEND`)();
  const noServer = { cannot: "the stand-in asks no server" };
  const cases = providerConformance({
    scenes: {
      answers: printing(":", {}),
      edits: printing("echo hello > hello.txt || true", {}),
      refuses: shell("cat >/dev/null; echo 'I cannot help with that.'"),
      garbage: shell("cat >/dev/null; printf '{\\377]'"),
      staleAck: printing(":", { ack: "stale" }),
      oversize: shell("yes | head -c 100000"),
      silent: shell("cat >/dev/null; sleep 600 & sleep 600"),
      stallsMidStream: shell("cat >/dev/null; printf '{\"status\":'; sleep 600"),
      exitsAtOnce: shell("exit 3"),
      exitsUnread: shell("exec <&-; exit 3"),
      crashesMidStream: shell("cat >/dev/null; printf '{\"status\":'; kill -9 $$"),
      busyOnce: noServer,
      overloadedOnce: noServer,
      alwaysBusy: noServer,
      loginMissing: () => ({
        provider: createAgentProgram(
          { ...standIn, login: () => ({ state: "missing", remedy: "Run: stand-in login" }) },
          host(),
        ),
        model: "default",
        options: ["true"],
      }),
      absent: () => ({
        provider: createAgentProgram({ ...standIn, program: "no-such-agent" }, host()),
        model: "default",
        options: ["true"],
      }),
    },
    typo: { wrote: "defualt", meant: "default" },
    patienceMs: 500,
  });
  for (const one of cases) it.skipIf(one.skip !== undefined)(titleOf(one), () => one.run());
});

async function ask(argv: string[], more: Partial<ProviderCall> = {}, provider = agent) {
  const call = providerCall("qa", { prompt: "x".repeat(2_000_000), options: argv, ...more });
  return (await provider.send(call, new AbortController().signal)).answer;
}

describe("a local command that misbehaves", () => {
  it("a program that exits at once is a result at once, not a hang", async () => {
    const answer = await ask(["sh", "-c", "read x; exit 1"]);
    expect(answer).toMatchObject({ outcome: "failed", invocation: { exitCode: 1 } });
  });

  it("a program that never reads its input breaks no pipe of ours", async () => {
    expect(await ask(["false"])).toMatchObject({ outcome: "failed", invocation: { exitCode: 1 } });
    expect(await ask(["echo", "hi"])).toMatchObject({ outcome: "answered", text: "hi\n" });
  });

  it("a program killed by a signal has failed", async () => {
    expect((await ask(["sh", "-c", "kill -9 $$"])).outcome).toBe("failed");
  });

  it("output that is not UTF-8 does not break the answer around it", async () => {
    const answer = await ask(["printf", "a\\351b"]);
    expect(answer.text).toBe("a\uFFFDb");
    expect(answer.invocation?.stdout).toEqual(new Uint8Array([97, 0xe9, 98]));
  });
});

describe("a service that refuses the login", () => {
  it("ends the call at once, however often the program would try again", async () => {
    const program: AgentProgram = {
      ...standIn,
      login: () => ({ state: "present", remedy: "Log in with: stand-in login" }),
      refusal: (event) => (event["type"] === "retry" ? { text: "401, try 1 of 10", final: true } : undefined),
    };
    const script = `cat >/dev/null; echo '{"type":"retry"}'; sleep 600`;
    const answer = await ask(["sh", "-c", script], { timeoutMs: 60_000 }, createAgentProgram(program, host()));
    expect(answer).toMatchObject({
      outcome: "failed",
      error: "stand-in: its service refused the login or key (401, try 1 of 10). Log in with: stand-in login",
    });
  });
});

const folder = tempFolder("agent-program-");

function script(name: string, lines: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** The reason why nothing was sent. */
const refusal = (provider: ProviderPort, model = "default") =>
  ask(["true"], { model }, provider).then(
    () => undefined,
    (error: unknown) => (error instanceof FailureError ? error.failure : undefined),
  );

describe("an agent program that cannot be asked", () => {
  it("[R-26] one that is not installed names the command that installs it, and nothing is sent", async () => {
    const absent = createAgentProgram(
      { ...standIn, program: "no-such-agent", install: "npm install -g no-such-agent" },
      host(),
    );
    expect(await refusal(absent)).toMatchObject({
      code: "provider_unavailable",
      message: expect.stringContaining("no-such-agent was not found on PATH"),
      remedy: expect.stringContaining("npm install -g no-such-agent"),
    });
    expect(await absent.examine?.()).toMatchObject({ installed: false, where: null, version: null });
  });

  it("[R-26] one that is not installed is known without a process, so a busy machine does not make it silent", async () => {
    const never = () => Promise.reject(new Error("a process was started"));
    const runner = { ...host().runner, run: never, confinement: never, nests: never };
    const absent = createAgentProgram({ ...standIn, program: "no-such-agent" }, { ...host(), runner });
    expect(await absent.examine?.()).toMatchObject({ installed: false, sandbox: null });
  });

  it("[R-26] a configured program that does not exist names the setting", async () => {
    const moved = createAgentProgram(standIn, host({ settings: { program: join(folder, "gone") } }));
    expect(await refusal(moved)).toMatchObject({
      code: "provider_unavailable",
      message: expect.stringContaining("providers.stand-in.program"),
    });
  });

  it("[R-26] one that is too old says which version it needs", async () => {
    const version = { args: ["--version"], oldest: "1.10.0" };
    const old = script("old-agent", "echo old-agent 1.9.7");
    const dated = createAgentProgram({ ...standIn, version }, host({ settings: { program: old } }));
    expect(await refusal(dated)).toMatchObject({
      code: "provider_unavailable",
      message: expect.stringMatching(/1\.9\.7 is older than 1\.10\.0/),
    });
    const fresh = script("new-agent", "echo 1.10.0");
    const current = createAgentProgram({ ...standIn, version }, host({ settings: { program: fresh } }));
    expect(await current.examine?.()).toMatchObject({ version: "1.10.0", where: fresh, problem: null });
  });

  it("[R-26] a missing login is reported with the way to log in", async () => {
    const login = () => ({ state: "missing" as const, remedy: "Run: stand-in login" });
    const stranger = createAgentProgram({ ...standIn, login }, host());
    expect(await refusal(stranger)).toMatchObject({
      code: "provider_unavailable",
      remedy: "Run: stand-in login",
    });
    expect(await stranger.examine?.()).toMatchObject({ login: "missing", remedy: "Run: stand-in login" });
  });

  it("[R-26] a model with a typo is refused with the nearest name and the way to add it", async () => {
    expect(agent.resolve("big-on")).toMatchObject({
      ok: false,
      remedy: expect.stringMatching(/Did you mean big-one\?.*providers/),
    });
    expect(await refusal(agent, "big-on")).toMatchObject({ code: "provider_unavailable" });
  });

  it("[S-12] an alias is the same agent as the model it names", () => {
    const settings = { models: { fast: "big-one", default: "big-one", fresh: "not-listed-yet" } };
    const aliased = createAgentProgram(standIn, host({ settings }));
    const identity = (model: string) => {
      const resolved = aliased.resolve(model);
      return resolved.ok ? resolved.identity : undefined;
    };
    expect(identity("fast")).toBe("stand-in:big-one");
    expect(identity("default")).toBe("stand-in:big-one");
    expect(identity("fresh")).toBe("stand-in:not-listed-yet");
    expect(identity("constructor")).toBeUndefined();
  });
});

describe("what an agent program gets to see", () => {
  it("[S-3] named variables and nothing else of the environment, never ours", async () => {
    const seen = createAgentProgram(
      { ...standIn, variables: ["AGENT_*", "KEY"] },
      host({
        variables: { ...variables, AGENT_A: "1", KEY: "2", MINE: "3", OTHER: "4", THEHOOD_TOKEN: "5" },
        settings: { passEnv: ["MINE", "THEHOOD_TOKEN"] },
      }),
    );
    const { text } = await ask(["sh", "-c", "cat >/dev/null; env"], {}, seen);
    const names = text.split("\n").map((line) => line.split("=")[0]);
    expect(names).toEqual(expect.arrayContaining(["AGENT_A", "KEY", "MINE", "THEHOOD_RUN_ID"]));
    expect(names).not.toContain("OTHER");
    expect(names).not.toContain("THEHOOD_TOKEN");
  });

  it("the user's words come before its own, and the record tells them", async () => {
    const settings = { args: ["A=b"] };
    const answer = await ask(
      ["sh", "-c", "cat >/dev/null; echo $A"],
      {},
      createAgentProgram(standIn, host({ settings })),
    );
    expect(answer).toMatchObject({
      text: "b\n",
      invocation: { args: ["A=b", "sh", "-c", expect.any(String)] },
    });
  });
});

describe("the private folder of a call", () => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`thehood-agent-${process.pid}-`));

  it("is gone with the call", async () => {
    const answer = await ask(["sh", "-c", "cat >/dev/null; pwd"]);
    expect(answer.text).toContain(`thehood-agent-${process.pid}-`);
    expect(left()).toEqual([]);
  });

  it("a TMPDIR that is not there is no reason to stop: the folder is made in another place", async () => {
    const { TMPDIR } = process.env;
    process.env["TMPDIR"] = join(folder, "nowhere");
    try {
      const answer = await ask(["sh", "-c", "cat >/dev/null; pwd"]);
      expect(answer.text).toContain(`thehood-agent-${process.pid}-`);
      expect(answer.text).not.toContain("nowhere");
    } finally {
      if (TMPDIR === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = TMPDIR;
    }
  });
});
