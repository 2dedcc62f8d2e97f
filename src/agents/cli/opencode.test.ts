// The arguments for OpenCode, and the reading of its output. The real program proves the rest.
import { describe, expect, it } from "vitest";
import { agentHome } from "../../../tests/support/agent-home.ts";
import { opencode } from "./opencode.ts";
import type { AgentEnvironment, AgentInput } from "./program.ts";

const { home, place, asked, own } = agentHome({ ANTHROPIC_API_KEY: "k" });
const config = (more: Partial<AgentInput> = {}) =>
  JSON.parse(opencode.command(asked(more)).env?.["OPENCODE_CONFIG_CONTENT"] ?? "") as {
    permission: Record<string, string>;
  };
const modelsOf = (at: AgentEnvironment) =>
  typeof opencode.models === "function" ? opencode.models(at) : opencode.models;

describe("the arguments of OpenCode", () => {
  it("[R-2] all is denied but what the role needs, and the shell is given only within our walls", () => {
    const { permission } = config();
    expect(Object.keys(permission)[0]).toBe("*");
    expect(permission).toMatchObject({ "*": "deny", read: "allow", grep: "allow" });
    expect(permission).not.toHaveProperty("edit");
    expect(permission).not.toHaveProperty("bash");
    expect(config({ mayEdit: true }).permission).toMatchObject({ edit: "allow", bash: "allow" });
    const outside = config({ mayEdit: true, confined: false, nests: false }).permission;
    expect(outside).toMatchObject({ edit: "allow" });
    expect(outside).not.toHaveProperty("bash");
    expect(outside).not.toHaveProperty("external_directory");
  });

  it("its commands run in a shell without network, keys and login", () => {
    const { env, files } = opencode.command(asked({ mayEdit: true }));
    expect(env?.["SHELL"]).toBe("/files/bin/bash");
    expect(files?.["bin/bash"]).toMatch(/unset ANTHROPIC_API_KEY.* OPENCODE_CONFIG_CONTENT/);
    expect(files?.["bin/bash"]).toContain(`--ro-bind /dev/null '${home()}/.local/share/opencode/auth.json'`);
    expect(files?.["bin/bash"]).toContain("--unshare-net");
  });

  it("of the user's configuration only models and how they are reached are kept, remarks and all", () => {
    own(
      ".config/opencode/opencode.jsonc",
      `{ // mine
        "model": "local/big", "plugin": ["evil"], /* more */ "mcp": { "x": {} },
        "provider": { "local": { "options": { "baseURL": "http://127.0.0.1:1//v1" }, "models": { "big": {}, } } },
      }`,
    );
    const kept = config({ place: place() });
    expect(kept).toMatchObject({
      model: "local/big",
      provider: { local: { options: { baseURL: "http://127.0.0.1:1//v1" } } },
      share: "disabled",
    });
    expect(kept).not.toHaveProperty("plugin");
    expect(kept).not.toHaveProperty("mcp");
    expect(modelsOf(place())).toEqual(["local/big"]);
    expect(opencode.defaultModel?.(place())).toBe("local/big");
    expect(opencode.login?.(place()).state).toBe("present");
  });

  it("a configuration that cannot be read is none", () => {
    own(".config/opencode/opencode.json", "{ broken");
    expect(config({ place: place() })).toMatchObject({ share: "disabled" });
  });

  it("the repository configures nothing, and nothing is fetched or installed", () => {
    const { env, files, args } = opencode.command(asked());
    expect(args).toContain("--pure");
    expect(env).toMatchObject({ OPENCODE_DISABLE_PROJECT_CONFIG: "1", XDG_CONFIG_HOME: "/files/config" });
    expect(files?.["config/opencode/package-lock.json"]).toContain("@opencode-ai/plugin");
  });

  it("offers the models of those it has a key for, by its catalog when there is one", () => {
    expect(modelsOf(place())).toEqual([]);
    expect(modelsOf(place({ ANTHROPIC_API_KEY: "k" }))).toContain("anthropic/claude-sonnet-4-6");
    own(".cache/opencode/models.json", JSON.stringify({ anthropic: { models: { "claude-x": {} } }, groq: {} }));
    own(".local/share/opencode/auth.json", JSON.stringify({ anthropic: { type: "oauth" }, groq: {} }));
    expect(modelsOf(place())).toEqual(["anthropic/claude-x"]);
    own(".cache/opencode/models.json", '{"half');
    expect(modelsOf(place())).toContain("anthropic/claude-sonnet-4-6");
  });

  it("without a login no code goes to a free service unasked", () => {
    expect(opencode.login?.(place())).toMatchObject({
      state: "missing",
      remedy: expect.stringContaining("opencode auth login"),
    });
    expect(opencode.login?.(place({ OPENAI_API_KEY: "k" })).state).toBe("present");
    expect(config({ place: place({ OPENAI_API_KEY: "k" }) })).toMatchObject({
      disabled_providers: ["opencode"],
    });
    expect(config({ place: place({ OPENCODE_API_KEY: "k" }) })).toMatchObject({ disabled_providers: [] });
    own(".config/opencode/opencode.json", '{"provider":{"anthropic":{"options":{"baseURL":"http://x/v1"}}}}');
    expect(opencode.login?.(place()).state).toBe("missing");
    own(".config/opencode/opencode.json", '{"provider":{"anthropic":{"options":{"apiKey":"{env:MINE}"}}}}');
    expect(opencode.login?.(place()).state).toBe("present");
  });
});

describe("what OpenCode says", () => {
  const line = (type: string, part: object) => `${JSON.stringify({ type, part })}\n`;
  const tokens = { input: 100, output: 20, reasoning: 5, cache: { read: 10, write: 1 } };
  const read = (stdout: string, stderr = "") => opencode.read?.({ stdout, stderr });

  it("the texts of the last message are the answer; steps are summed, refused tools named", () => {
    const reply = read(
      line("text", { messageID: "m1", text: "I will" }) +
        line("tool_use", { tool: "write", state: { status: "error", error: "unavailable tool 'invalid'" } }) +
        line("tool_use", { tool: "read", state: { status: "error", error: "no such file" } }) +
        line("step_finish", { reason: "tool-calls", tokens, cost: 0.25 }) +
        line("text", { messageID: "m2", text: '{"status":' }) +
        line("text", { messageID: "m2", text: '"ok"}' }) +
        line("step_finish", { reason: "stop", tokens, cost: 0.5 }),
    );
    expect(reply).toEqual({
      text: '{"status":"ok"}',
      usage: { inputTokens: 222, outputTokens: 50, cachedTokens: 20, costUsd: 0.75 },
      problem: undefined,
      denials: ["write"],
    });
  });

  it("tells what it does while it does it", () => {
    const part = { tool: "bash", state: { input: { command: "npm test" } } };
    expect(opencode.describeEvent?.({ type: "tool_use", part })).toBe("$ npm test");
    expect(opencode.describeEvent?.({ type: "text", part })).toBeUndefined();
  });

  it("a step that did not end normally is not an answer", () => {
    const cut = line("text", { messageID: "m", text: "half" });
    expect(read(cut)?.text).toBeUndefined();
    expect(read(cut + line("step_finish", { reason: "length", tokens }))?.text).toBeUndefined();
  });

  it("an error is a problem in its own words, wherever it is", () => {
    const error = { name: "APIError", data: { message: "no", statusCode: 401 } };
    expect(read(`${JSON.stringify({ type: "error", error })}\n`)?.problem).toMatch(
      /^no \(status 401\).*opencode auth login/,
    );
    expect(read("", "\u001b[91mError: \u001b[0mModel not found: x/y\n")?.problem).toBe("Error: Model not found: x/y");
  });
});
