import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { type AskedRole, type ProviderCall, contractOfRole, makeAck } from "../../contract/index.ts";
import { createCommandRunner } from "../../workspace/run/index.ts";
import { createStub } from "../stub/index.ts";
import { providerConformance } from "../conformance.ts";
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

/** What the stub would answer, printed by a program that first reads its standard input. */
async function echoing(call: ProviderCall): Promise<ProviderCall> {
  const answer = await (
    await createStub().send({ ...call, options: {} }, new AbortController().signal)
  ).answer;
  return { ...call, options: ["sh", "-c", "cat >/dev/null; cat <<'END'\n" + answer.text + "\nEND"] };
}

const answering = {
  ...agent,
  async send(call: ProviderCall, signal: AbortSignal) {
    return agent.send(Array.isArray(call.options) ? call : await echoing(call), signal);
  },
};

describe("a local command joins the provider conformance suite", () => {
  const cases = providerConformance({
    provider: answering as typeof agent,
    model: "default",
    options: {
      answers: "echo",
      silent: ["sleep", "600"],
      crashes: ["sh", "-c", "exit 3"],
      oversize: ["sh", "-c", "yes | head -c 100000"],
      edits: ["sh", "-c", "echo hello > hello.txt; echo done"],
    },
  });
  for (const one of cases)
    it.skipIf(one.skip !== undefined)(`${one.title}${one.skip ? ` (${one.skip})` : ""}`, () => one.run());
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
