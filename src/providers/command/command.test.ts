import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { type AskedRole, type ProviderCall, contractOfRole, makeAck } from "../../contract/index.ts";
import { createCommandRunner } from "../../workspace/run/index.ts";
import { providerConformance, titleOf } from "../conformance/index.ts";
import { type StubStep, scriptedAnswer } from "../stub/index.ts";
import { createLocalCommand } from "./index.ts";

const runner = createCommandRunner({
  environment: { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
});

/** A stand-in agent: its options are the program it runs. */
const agent = createLocalCommand(
  {
    id: "stand-in",
    about: "a program of the test",
    argv: (call) => call.options as [string, ...string[]],
    external: false,
    models: ["default"],
  },
  runner,
);

describe("a local command joins the provider conformance suite", () => {
  const shell = (script: string) => () => ({
    provider: agent,
    model: "default",
    options: ["sh", "-c", script],
  });
  /** Reads its standard input, then prints what the stub would answer. */
  const printing = (before: string, step: StubStep) => (call: ProviderCall) =>
    shell(`cat >/dev/null; ${before}\ncat <<'END'\n${scriptedAnswer(call, step)}\nEND`)();
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
      loginMissing: { cannot: "the stand-in needs no login" },
      absent: { cannot: "the stand-in has no program of its own: each call names one" },
    },
    typo: { wrote: "defualt", meant: "default" },
    patienceMs: 500,
  });
  for (const one of cases) it.skipIf(one.skip !== undefined)(titleOf(one), () => one.run());
});

describe("a local command that misbehaves", () => {
  const ask = async (argv: string[], more: Partial<ProviderCall> = {}) => {
    const role: AskedRole = "qa";
    const call: ProviderCall = {
      callId: "call_000001",
      runId: "run_000001",
      role,
      purpose: "loop",
      ordinal: 1,
      model: "default",
      contract: contractOfRole[role],
      ack: makeAck("run_000001", "nonce0001"),
      prompt: "x".repeat(2_000_000),
      directive: {},
      workspace: { mode: "none", dir: null },
      timeoutMs: 20_000,
      maxAnswerBytes: 1_000_000,
      options: argv,
      ...more,
    };
    return (await agent.send(call, new AbortController().signal)).answer;
  };

  it("a program that exits at once is a result at once, not a hang", async () => {
    const answer = await ask(["sh", "-c", "read x; exit 1"]);
    expect(answer).toMatchObject({ outcome: "failed", invocation: { exitCode: 1 } });
  });

  it("a program that never reads its input breaks no pipe of ours", async () => {
    expect(await ask(["false"])).toMatchObject({ outcome: "failed", invocation: { exitCode: 1 } });
    expect(await ask(["echo", "hi"])).toMatchObject({ outcome: "answered", text: "hi\n" });
  });

  it("a program that is not there is told as such", async () => {
    expect(await ask(["no-such-agent"])).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining("could not be started"),
    });
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
