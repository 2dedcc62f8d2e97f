// The arguments for Gemini CLI, and the reading of its output. The real program proves the rest.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProviderCall } from "../../core/contract/index.ts";
import { agentHome } from "../../../tests/support/agent-home.ts";
import { gemini } from "./gemini.ts";

const { home, place, asked, own } = agentHome({ GEMINI_API_KEY: "k" });
const stream = (...events: object[]) => ({
  stdout: `Loaded cached credentials.\n${events.map((event) => `${JSON.stringify(event)}\n`).join("")}`,
  stderr: "",
});
const allowed = (policy: string | undefined) =>
  [...(policy ?? "").matchAll(/toolName = "(\w+)"\ndecision = "allow"/g)].map((match) => match[1]);

describe("the arguments of Gemini CLI", () => {
  it("[R-2] a reader has no tool that writes, runs or fetches; all else is denied by its own policy", () => {
    const { args, files, permissionMode } = gemini.command(asked());
    expect(args).toContain("default");
    expect(allowed(files?.["policy.toml"])).toEqual([
      "read_file",
      "read_many_files",
      "list_directory",
      "glob",
      "grep_search",
    ]);
    expect(files?.["policy.toml"]).toContain('toolName = "*"\ndecision = "deny"');
    expect(permissionMode).not.toContain("run_shell_command");
  });

  it("a worker edits; a shell it gets only within our walls, and one without network and keys", () => {
    const inside = gemini.command(asked({ mayEdit: true }));
    expect(allowed(inside.files?.["policy.toml"])).toEqual(
      expect.arrayContaining(["write_file", "replace", "run_shell_command"]),
    );
    expect(inside.env?.["PATH"]).toMatch(/^\/files\/bin:/);
    expect(inside.files?.["bin/bash"]).toMatch(/unset GEMINI_API_KEY[^\n]*\n[^]*--unshare-net/);
    const outside = gemini.command(asked({ mayEdit: true, confined: false, nests: false }));
    expect(allowed(outside.files?.["policy.toml"])).not.toContain("run_shell_command");
    expect(outside.files?.["bin/bash"]).toBeUndefined();
  });

  it("settings of ours stand in the place of the user's, and the user's way to log in stays", () => {
    own(
      ".gemini/settings.json",
      '{"security":{"auth":{"selectedType":"vertex-ai"}},"mcpServers":{"x":{"command":"x"}}}',
    );
    const { files, own: places } = gemini.command(asked({ place: place() }));
    const settings = JSON.parse(files?.["settings.json"] ?? "") as Record<string, unknown>;
    expect(settings).toMatchObject({
      security: { auth: { selectedType: "vertex-ai" } },
      hooksConfig: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
    });
    expect(settings).not.toHaveProperty("mcpServers");
    expect(places).toEqual([
      { path: join(home(), ".gemini/settings.json"), from: "/files/settings.json", access: "read" },
    ]);
  });

  it("a folder of its own in the repository is hidden; where nothing can be, the repository is not trusted", () => {
    const repo = join(home(), "repo");
    const call = { workspace: { mode: "worktree", dir: repo } } as ProviderCall;
    mkdirSync(join(repo, ".gemini"), { recursive: true });
    const inside = gemini.command(asked({ call }));
    expect(inside.hidden).toContain(join(repo, ".gemini"));
    expect(inside.hidden).not.toContain(join(home(), ".gemini"));
    expect(inside.env).toMatchObject({ GEMINI_CLI_TRUST_WORKSPACE: "true" });
    expect(gemini.command(asked({ call, confined: false })).env).not.toHaveProperty("GEMINI_CLI_TRUST_WORKSPACE");
  });

  it("knows a login by its key or its files, and leaves other ways to themselves", () => {
    expect(gemini.login?.(place())).toMatchObject({
      state: "missing",
      remedy: expect.stringContaining("GEMINI_API_KEY"),
    });
    expect(gemini.login?.(place({ GEMINI_API_KEY: "k" })).state).toBe("present");
    own(".gemini/settings.json", '{"security":{"auth":{"selectedType":"compute-default-credentials"}}}');
    expect(gemini.login?.(place()).state).toBe("unknown");
    own(".gemini/settings.json", "{}");
    own(".gemini/oauth_creds.json", '{"refresh_token":"x"}');
    expect(gemini.login?.(place()).state).toBe("present");
  });
});

describe("what Gemini CLI says", () => {
  const message = (content: string) => ({ type: "message", role: "assistant", content, delta: true });

  it("the pieces after the last tool are the answer; refused tools are named; tokens are counted", () => {
    const reply = gemini.read?.(
      stream(
        { type: "init" },
        { type: "message", role: "user", content: "the directive" },
        message("let me "),
        { type: "tool_use", tool_id: "t1", tool_name: "write_file" },
        { type: "tool_result", tool_id: "t1", status: "error", error: { type: "tool_not_registered" } },
        { type: "tool_use", tool_id: "t2", tool_name: "read_file" },
        { type: "tool_result", tool_id: "t2", status: "error", error: { type: "file_not_found" } },
        message('{"status":'),
        message('"ok"}'),
        { type: "result", status: "success", stats: { input_tokens: 300, output_tokens: 60 } },
      ),
    );
    expect(reply).toEqual({
      text: '{"status":"ok"}',
      usage: { inputTokens: 300, outputTokens: 60 },
      problem: undefined,
      denials: ["write_file"],
    });
  });

  it("tells what it does while it does it", () => {
    const use = { type: "tool_use", tool_name: "write_file", parameters: { file_path: "a.js" } };
    expect(gemini.describeEvent?.(use)).toBe("writes a.js");
    expect(gemini.describeEvent?.({ type: "tool_use", tool_name: "toString" })).toBeUndefined();
    expect(gemini.describeEvent?.({ type: "message", content: "x" })).toBeUndefined();
  });

  it("an error is a problem in its own words, with the way to log in when that is it", () => {
    const failed = (text: string) =>
      gemini.read?.(stream(message("half"), { type: "result", status: "error", error: { message: text } }));
    expect(failed("[API Error: quota]")).toMatchObject({ text: undefined, problem: "[API Error: quota]" });
    expect(failed("API key not valid")?.problem).toContain("set GEMINI_API_KEY");
  });

  it("a stream without a result is not an answer, and its error is on standard error", () => {
    const cut = gemini.read?.({
      stdout: '{"type":"message","role":"assistant","content":"x"}\n{"ty',
      stderr: "",
    });
    expect(cut?.text).toBeUndefined();
    const silent = gemini.read?.({
      stdout: "",
      stderr: "warm up\nPlease set an Auth method in your settings\n",
    });
    expect(silent?.problem).toMatch(/Please set an Auth method.*GEMINI_API_KEY/);
  });
});
