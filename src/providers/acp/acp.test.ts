import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { providerCall } from "../../../tests/support/provider-call.ts";
import type { ProviderCall, ProviderSettings } from "../../contract/index.ts";
import { createCommandRunner, detectSandbox } from "../../workspace/run/index.ts";
import { providerConformance, titleOf } from "../conformance/index.ts";
import { type StubStep, scriptedAnswer } from "../stub/index.ts";
import { createAcp } from "./index.ts";

const agentFile = join(import.meta.dirname, "fixtures/agent.mjs");
const variables = {
  PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
  AGENT_KEY: "k",
  OTHER: "o",
};
const runner = createCommandRunner({ environment: variables });
const confined = (await detectSandbox()).kind === "bubblewrap";
const home = mkdtempSync(join(tmpdir(), "acp-home-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Script {
  readonly [key: string]: unknown;
  readonly steps?: readonly Record<string, unknown>[];
}

const acp = (script: Script, more: ProviderSettings = {}) =>
  createAcp("my-agent", {
    runner,
    home,
    variables,
    settings: { kind: "acp", program: process.execPath, args: [agentFile, JSON.stringify(script)], ...more },
  });

describe("an ACP agent joins the provider conformance suite", () => {
  const scene = (script: Script) => () => ({ provider: acp(script), model: "default" });
  const answering =
    (before: (call: ProviderCall) => Record<string, unknown>[], step: StubStep = {}) =>
    (call: ProviderCall) =>
      scene({ steps: [...before(call), { text: scriptedAnswer(call, step) }] })();
  const noServer = { cannot: "the stand-in asks no server" };
  const cases = providerConformance({
    scenes: {
      answers: answering(() => []),
      edits: answering(({ workspace: { dir } }) => [{ write: [join(dir ?? "", "hello.txt"), "hello\n"] }]),
      refuses: scene({ steps: [{ text: "No." }], result: { stopReason: "refusal" } }),
      garbage: scene({ steps: [{ raw: "][\n{}\n\u0000\n7\n" }, { text: "{]" }] }),
      staleAck: answering(() => [], { ack: "stale" }),
      oversize: scene({ steps: [{ text: "x".repeat(9_000) }, { text: "y".repeat(9_000) }] }),
      silent: scene({ steps: [{ child: "600" }, { wait: 1 }] }),
      stallsMidStream: scene({ steps: [{ text: '{"status":' }, { wait: 1 }] }),
      exitsAtOnce: scene({ exitAtOnce: 3 }),
      exitsUnread: scene({ exitAtOnce: 0 }),
      crashesMidStream: scene({ steps: [{ text: '{"status":' }, { kill: "SIGKILL" }] }),
      busyOnce: noServer,
      overloadedOnce: noServer,
      alwaysBusy: noServer,
      loginMissing: scene({ locked: true }),
      absent: () => ({ provider: acp({}, { program: "no-such-agent" }), model: "default" }),
    },
    typo: { wrote: "defualt", meant: "default" },
    patienceMs: 1_500,
  });
  for (const one of cases) it.skipIf(one.skip !== undefined)(titleOf(one), () => one.run());
});

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "acp-work-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function callOf(role: "implementer" | "verifier", more: Partial<ProviderCall> = {}): ProviderCall {
  const mode = role === "implementer" ? "worktree" : "read_only";
  return providerCall(role, { workspace: { mode, dir }, timeoutMs: 30_000, ...more });
}

async function ask(
  script: Script,
  call: ProviderCall,
  settings: ProviderSettings = {},
  stop = new AbortController(),
) {
  const answer = await (await acp(script, settings).send(call, stop.signal)).answer;
  return {
    ...answer,
    noted: Buffer.from(answer.invocation?.stderr ?? [])
      .toString()
      .split("\n"),
  };
}

describe("what an ACP agent that asks is told", () => {
  const write = () => [join(dir, "made.txt"), "made"];
  const chosen = (noted: readonly string[]) =>
    noted.flatMap((line) => /^permission .*"optionId":"o-(\w+)"/.exec(line)?.[1] ?? []);

  it.skipIf(!confined)(
    "a worker may edit in its worktree and run commands, each time once (needs bubblewrap)",
    async () => {
      const steps = [
        {
          permission: {
            toolCallId: "1",
            kind: "edit",
            locations: [{ path: join(dir, "made.txt") }],
            write: write(),
          },
        },
        { permission: { toolCallId: "2", kind: "execute", title: "npm test" } },
        { text: "done" },
      ];
      const answer = await ask({ steps }, callOf("implementer"));
      expect(answer).toMatchObject({ outcome: "answered", text: "done" });
      expect(chosen(answer.noted)).toEqual(["allow_once", "allow_once"]);
      expect(readFileSync(join(dir, "made.txt"), "utf8")).toBe("made");
    },
  );

  it("a worker may not edit elsewhere, fetch, or change its own permissions, and the record says what was refused", async () => {
    const steps = [
      {
        permission: { toolCallId: "1", kind: "edit", title: "passwd", locations: [{ path: "/etc/passwd" }] },
      },
      {
        permission: {
          toolCallId: "2",
          kind: "delete",
          title: "up",
          locations: [{ path: join(dir, "../x") }],
        },
      },
      { permission: { toolCallId: "3", kind: "fetch", title: "site" } },
      { permission: { toolCallId: "4", kind: "switch_mode", title: "yolo" } },
      { text: "done" },
    ];
    const answer = await ask({ steps }, callOf("implementer"));
    expect(chosen(answer.noted)).toEqual(Array.from({ length: 4 }, () => "reject_once"));
    expect(answer.invocation?.denials).toEqual([
      "edit: passwd",
      "delete: up",
      "fetch: site",
      "switch_mode: yolo",
    ]);
  });

  it("without our walls a worker may edit in its worktree and run nothing", async () => {
    const steps = ["edit", "execute", "other"].map((kind) => ({ permission: { toolCallId: kind, kind } }));
    const provider = createAcp("my-agent", {
      runner: createCommandRunner({ environment: variables, sandbox: "off" }),
      home,
      variables,
      settings: { program: process.execPath, args: [agentFile, JSON.stringify({ steps })] },
    });
    const answer = await (await provider.send(callOf("implementer"), new AbortController().signal)).answer;
    const noted = Buffer.from(answer.invocation?.stderr ?? [])
      .toString()
      .split("\n");
    expect(chosen(noted)).toEqual(["allow_once", "reject_once", "reject_once"]);
  });

  it("[R-2] a reader may read and search, and nothing that writes, runs or does not say what it is", async () => {
    const kinds = [
      "read",
      "search",
      "think",
      "edit",
      "delete",
      "move",
      "execute",
      "other",
      "new_kind",
      undefined,
    ];
    const steps = [
      ...kinds.map((kind, at) => ({
        permission: { toolCallId: `${at}`, ...(kind ? { kind } : {}), write: write() },
      })),
      { text: "done" },
    ];
    const answer = await ask({ steps }, callOf("verifier"));
    const told = chosen(answer.noted);
    expect(told.slice(0, 3)).toEqual(["allow_once", "allow_once", "allow_once"]);
    expect(told.slice(3)).toEqual(Array.from({ length: 7 }, () => "reject_once"));
    expect(readdirSync(dir)).toEqual([]);
  });

  it("a kind that was said earlier counts when the question leaves it out", async () => {
    const steps = [
      { update: { sessionUpdate: "tool_call", toolCallId: "t", kind: "edit", title: "Edit" } },
      { permission: { toolCallId: "t", title: "Edit" } },
      { update: { sessionUpdate: "tool_call", toolCallId: "r", kind: "read", title: "Read" } },
      { permission: { toolCallId: "r", title: "Read" } },
      { text: "done" },
    ];
    expect(chosen((await ask({ steps }, callOf("verifier"))).noted)).toEqual(["reject_once", "allow_once"]);
  });

  it("without a fitting option the question is cancelled, and a question without sense too", async () => {
    const offered = [{ optionId: "o-allow", name: "yes", kind: "allow_always" }];
    const steps = [
      { permission: { toolCallId: "1", kind: "edit", offered, write: write() } },
      { call: ["session/request_permission", { options: "none" }] },
      { text: "done" },
    ];
    const { noted } = await ask({ steps }, callOf("verifier"));
    const cancelled = JSON.stringify({ result: { outcome: { outcome: "cancelled" } } });
    expect(noted).toContain(`permission ${cancelled}`);
    expect(noted).toContain(`session/request_permission ${cancelled}`);
    expect(readdirSync(dir)).toEqual([]);
  });

  it("files and terminals of ours are neither offered nor given", async () => {
    const steps = [
      { call: ["fs/write_text_file", { sessionId: "s1", path: join(dir, "x"), content: "x" }] },
      { call: ["fs/read_text_file", { sessionId: "s1", path: "/etc/passwd" }] },
      { call: ["terminal/create", { sessionId: "s1", command: "id" }] },
      { text: "done" },
    ];
    const { noted } = await ask({ steps }, callOf("implementer"));
    expect(noted.filter((line) => line.includes("-32601"))).toHaveLength(3);
    expect(noted[0]).toContain('"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false');
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe("a conversation with an ACP agent", () => {
  it("the last message is the answer: what was said before tools, and thoughts, are not", async () => {
    const steps = [
      { text: "I will edit." },
      { update: { sessionUpdate: "tool_call", toolCallId: "1", kind: "edit", title: "Edit" } },
      { thought: "hm" },
      { text: "the " },
      { text: "answer" },
      { update: { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" } },
    ];
    const told: string[] = [];
    const call = callOf("implementer", { progress: (line) => void told.push(line) });
    expect(await ask({ steps }, call)).toMatchObject({ outcome: "answered", text: "the answer" });
    expect(told).toEqual(["Edit"]);
  });

  it("a session is put in the mode of the agent's own that fits the role, if there is one", async () => {
    const session = {
      modes: { currentModeId: "default", availableModes: [{ id: "default" }, { id: "plan" }] },
    };
    const script = { session, steps: [{ text: "ok" }] };
    const set = 'session/set_mode {"sessionId":"s1","modeId":"plan"}';
    expect((await ask(script, callOf("verifier"))).noted).toContain(set);
    expect((await ask(script, callOf("implementer"))).noted.join()).not.toContain("set_mode");
    const codex = {
      modes: { currentModeId: "agent", availableModes: [{ id: "agent" }, { id: "workspace-write" }] },
    };
    expect((await ask({ ...script, session: codex }, callOf("implementer"))).noted).toContain(
      'session/set_mode {"sessionId":"s1","modeId":"workspace-write"}',
    );
  });

  it("[S-12] an alias stands for a model of the agent's, has its identity, and one it does not offer is named", async () => {
    const models = { big: "big-1", other: "big-2" };
    const session = { models: { currentModelId: "x", availableModels: [{ modelId: "big-1" }] } };
    const script = { session, steps: [{ text: "ok" }] };
    const good = await ask(script, callOf("verifier", { model: "big" }), { models });
    expect(good.noted).toContain('session/set_model {"sessionId":"s1","modelId":"big-1"}');
    expect(acp(script, { models }).resolve("big")).toEqual({ ok: true, identity: "my-agent:big-1" });
    const bad = await ask(script, callOf("verifier", { model: "other" }), { models });
    expect(bad).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining('no model "big-2", only big-1'),
    });
    const config = { configOptions: [{ id: "m", category: "model", options: [{ value: "big-1" }] }] };
    const newer = await ask({ ...script, session: config }, callOf("verifier", { model: "big" }), { models });
    expect(newer.noted).toContain(
      'session/set_config_option {"sessionId":"s1","configId":"m","value":"big-1"}',
    );
  });

  it("usage is told as the protocol says it, or as Gemini CLI does", async () => {
    const steps = [
      {
        update: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 0.25, currency: "USD" } },
      },
      { text: "ok" },
    ];
    const standard = { stopReason: "end_turn", usage: { inputTokens: 5, outputTokens: 6, totalTokens: 11 } };
    const quota = { token_count: { input_tokens: 7, output_tokens: 8 } };
    expect((await ask({ steps, result: standard }, callOf("verifier"))).usage).toEqual({
      inputTokens: 5,
      outputTokens: 6,
      costUsd: 0.25,
    });
    const gemini = await ask(
      { steps: [{ text: "ok" }], result: { stopReason: "end_turn", _meta: { quota } } },
      callOf("verifier"),
    );
    expect(gemini.usage).toEqual({ inputTokens: 7, outputTokens: 8 });
    expect((await ask({ steps: [{ text: "ok" }] }, callOf("verifier"))).usage).toBeUndefined();
  });

  it("a missing login names the ways to log in, and the user's choice is taken", async () => {
    const locked = { locked: true, steps: [{ text: "ok" }] };
    const closed = await ask(locked, callOf("verifier"));
    expect(closed).toMatchObject({
      outcome: "failed",
      error: expect.stringContaining("authMethod to one of key"),
    });
    expect(await ask(locked, callOf("verifier"), { authMethod: "key" })).toMatchObject({
      outcome: "answered",
    });
  });

  it.each([
    ["speaks another version", { version: 2 }, "version 2"],
    ["opens no session", { session: { sessionId: 7 } }, "opened no session"],
    ["is cut short", { steps: [{ text: "half" }], result: { stopReason: "max_tokens" } }, "max_tokens"],
    ["gives no reason", { steps: [{ text: "half" }], result: {} }, "no reason given"],
    ["says nothing at all", { steps: [{ text: " " }] }, "without an answer"],
  ])("an agent that %s has failed, in words", async (_what, script: Script, words) => {
    const answer = await ask(script, callOf("verifier"));
    expect(answer).toMatchObject({ outcome: "failed", text: "", error: expect.stringContaining(words) });
  });

  it("a line without an end is not read for ever, nor is an endless stream of lines", async () => {
    const line = await ask({ steps: [{ flood: [9_000_000, ""] }, { wait: 1 }] }, callOf("verifier"));
    expect(line).toMatchObject({ outcome: "failed", error: expect.stringContaining("a line of over") });
    const steps = [...Array.from({ length: 5 }, () => ({ flood: [8_000_000, "\n"] })), { text: "ok" }];
    expect(await ask({ steps }, callOf("verifier"))).toMatchObject({ outcome: "oversize" });
  });

  it("an agent that stays when all is said is ended, and its answer stands", async () => {
    const answer = await ask({ lingers: true, steps: [{ text: "ok" }] }, callOf("verifier"));
    expect(answer).toMatchObject({ outcome: "answered", text: "ok" });
  });

  it("an abort is told to the agent before it is ended", async () => {
    const stop = new AbortController();
    const heard: string[] = [];
    const provider = createAcp("my-agent", {
      runner: {
        ...runner,
        run: (request) =>
          runner.run({
            ...request,
            onOutput(stream, chunk) {
              request.onOutput?.(stream, chunk);
              heard.push(Buffer.from(chunk).toString());
              if (heard.join("").includes("working")) stop.abort();
            },
          }),
      },
      home,
      variables,
      settings: {
        program: process.execPath,
        args: [agentFile, JSON.stringify({ steps: [{ text: "working" }, { wait: 1 }] })],
      },
    });
    const answer = await (await provider.send(callOf("verifier"), stop.signal)).answer;
    expect(answer.outcome).toBe("aborted");
    expect(Buffer.from(answer.invocation?.stderr ?? []).toString()).toContain(
      'session/cancel {"sessionId":"s1"}',
    );
  });

  it("[S-3] sees only the variables it was given by name, and its own files only", async () => {
    const script = "env; cat $HOME/.agent/login; cat $HOME/other";
    const provider = createAcp("my-agent", {
      runner,
      home,
      variables,
      settings: { program: "sh", args: ["-c", script], passEnv: ["AGENT_KEY", "THEHOOD_SECRET"] },
    });
    const answer = await (await provider.send(callOf("verifier"), new AbortController().signal)).answer;
    const said = Buffer.from(answer.invocation?.stdout ?? []).toString();
    expect(said).toContain("AGENT_KEY=k");
    expect(said).not.toMatch(/^OTHER=/m);
  });

  it.skipIf(!confined)(
    "sees no configuration that the repository brings for it (needs bubblewrap)",
    async () => {
      mkdirSync(join(dir, ".claude"));
      writeFileSync(join(dir, ".claude/settings.json"), "evil");
      const provider = createAcp("my-agent", {
        runner,
        home,
        variables,
        settings: { program: "sh", args: ["-c", "cat .claude/settings.json; ls -A .claude; echo looked"] },
      });
      const answer = await (await provider.send(callOf("implementer"), new AbortController().signal)).answer;
      expect(Buffer.from(answer.invocation?.stdout ?? []).toString()).toBe("looked\n");
    },
  );

  it.skipIf(!confined)(
    "[R-2] an agent that does not ask is held by the sandbox (needs bubblewrap)",
    async () => {
      const outside = join(home, "outside.txt");
      const steps = [
        { write: [join(dir, "made.txt"), "made"] },
        { write: [outside, "made"] },
        { write: [join(dir, ".git/hooks/x"), "made"] },
        { text: "done" },
      ];
      await ask({ steps }, callOf("verifier"));
      expect(readdirSync(dir)).toEqual([]);
      await ask({ steps }, callOf("implementer"));
      expect(readdirSync(dir)).toEqual(["made.txt"]);
      expect(readdirSync(home)).toEqual([]);
    },
  );
});
