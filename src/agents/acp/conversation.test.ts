import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Script, acpScene, agentFile, confined, runner } from "../../../tests/support/acp/scene.ts";
import { createAcp } from "./provider.ts";

const { home, variables, dir, acp, callOf, ask } = acpScene();

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
    const progress: string[] = [];
    const call = callOf("implementer", { progress: (line) => void progress.push(line) });
    expect(await ask({ steps }, call)).toMatchObject({ outcome: "answered", text: "the answer" });
    expect(progress).toEqual(["Edit"]);
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

  it("[S-12] an alias means a model of the agent's, has its identity, and one it does not offer is named", async () => {
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
    expect(newer.noted).toContain('session/set_config_option {"sessionId":"s1","configId":"m","value":"big-1"}');
  });

  it("usage is reported as the protocol says it, or as Gemini CLI does", async () => {
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

  it("an agent that stays after its answer is ended, and its answer counts", async () => {
    const answer = await ask({ lingers: true, steps: [{ text: "ok" }] }, callOf("verifier"));
    expect(answer).toMatchObject({ outcome: "answered", text: "ok" });
  });

  it("an abort is sent to the agent before it is ended", async () => {
    const stop = new AbortController();
    const output: string[] = [];
    const provider = createAcp("my-agent", {
      runner: {
        ...runner,
        run: (request) =>
          runner.run({
            ...request,
            onOutput(stream, chunk) {
              request.onOutput?.(stream, chunk);
              output.push(Buffer.from(chunk).toString());
              if (output.join("").includes("working")) stop.abort();
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
    expect(Buffer.from(answer.invocation?.stderr ?? []).toString()).toContain('session/cancel {"sessionId":"s1"}');
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

  it.skipIf(!confined)("sees no configuration that the repository brings for it (needs bubblewrap)", async () => {
    mkdirSync(join(dir(), ".claude"));
    writeFileSync(join(dir(), ".claude/settings.json"), "evil");
    const provider = createAcp("my-agent", {
      runner,
      home,
      variables,
      settings: { program: "sh", args: ["-c", "cat .claude/settings.json; ls -A .claude; echo looked"] },
    });
    const answer = await (await provider.send(callOf("implementer"), new AbortController().signal)).answer;
    expect(Buffer.from(answer.invocation?.stdout ?? []).toString()).toBe("looked\n");
  });

  it.skipIf(!confined)("[R-2] an agent that does not ask is held by the sandbox (needs bubblewrap)", async () => {
    const outside = join(home, "outside.txt");
    const steps = [
      { write: [join(dir(), "made.txt"), "made"] },
      { write: [outside, "made"] },
      { write: [join(dir(), ".git/hooks/x"), "made"] },
      { text: "done" },
    ];
    await ask({ steps }, callOf("verifier"));
    expect(readdirSync(dir())).toEqual([]);
    await ask({ steps }, callOf("implementer"));
    expect(readdirSync(dir())).toEqual(["made.txt"]);
    expect(readdirSync(home)).toEqual([]);
  });
});
