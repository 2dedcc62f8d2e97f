// The arguments for Codex and Claude Code, and the reading of their output. The real programs prove the rest.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { type ProviderCall, contractOfRole, makeAck } from "../../core/contract/index.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import type { AgentInput, AgentEnvironment } from "./program.ts";
import { createProgressReader } from "./meter.ts";

const home = tempFolder("agent-home-");

const place = (variables: AgentEnvironment["variables"] = {}, at = home): AgentEnvironment => ({
  home: at,
  variables,
  settings: {},
});

const asked = (more: Partial<AgentInput> = {}): AgentInput => ({
  call: {
    role: "verifier",
    contract: contractOfRole.verifier,
    ack: makeAck("run_000001", "nonce0001"),
    workspace: { mode: "read_only", dir: "/work" },
  } as ProviderCall,
  slug: null,
  place: place(),
  folder: "/files",
  mayEdit: false,
  confined: true,
  nests: more.confined ?? true,
  ...more,
});

const after = (args: readonly string[], flag: string): string | undefined => args[args.indexOf(flag) + 1];
const stream = (...events: object[]) => ({
  stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(""),
  stderr: "",
});

describe("Codex", () => {
  it("[R-2] reads in its read-only sandbox, works in its workspace, and asks no questions", () => {
    expect(after(codex.command(asked()).args, "-s")).toBe("read-only");
    const worker = codex.command(asked({ mayEdit: true }));
    expect(after(worker.args, "-s")).toBe("workspace-write");
    expect(worker.args).toContain('approval_policy="never"');
    expect(worker.permissionMode).toBe("sandbox workspace-write, approval never");
  });

  it("where it cannot confine its commands within our walls, those alone hold, and the record says so", () => {
    for (const mayEdit of [true, false]) {
      const { args, permissionMode } = codex.command(asked({ mayEdit, nests: false }));
      expect(after(args, "-s")).toBe("danger-full-access");
      expect(permissionMode).toContain("its commands have the network");
    }
    expect(after(codex.command(asked({ confined: false, nests: false })).args, "-s")).toBe("read-only");
    const login = (nests: boolean) => codex.own?.(place(), nests).find(({ path }) => path.endsWith("auth.json"));
    expect(login(true)?.access).toBe("write");
    expect(login(false)?.access).toBe("read");
  });

  it("without our walls no temporary folder is writable", () => {
    const words = codex.command(asked({ mayEdit: true, confined: false })).args.join(" ");
    expect(words).toContain("exclude_slash_tmp=true");
    expect(words).toContain("exclude_tmpdir_env_var=true");
  });

  it("a repository that the user trusts elsewhere configures nothing here", () => {
    expect(codex.command(asked()).args).toContain('projects={"/work"={trust_level="untrusted"}}');
  });

  it("gets the schema of the contract as a file, in the dialect that servers enforce", () => {
    const { args, files } = codex.command(asked());
    expect(after(args, "--output-schema")).toBe("/files/schema.json");
    const schema = JSON.parse(files?.["schema.json"] ?? "") as { required: string[] };
    expect(schema).toMatchObject({ additionalProperties: false, required: ["status", "summary", "data"] });
  });

  it("a message before the turn that says error is not a failure; the last message is the answer", () => {
    const reply = codex.read?.(
      stream(
        { type: "thread.started" },
        { type: "item.completed", item: { type: "error", message: "Model metadata not found" } },
        { type: "error", message: "Reconnecting... 1/1" },
        { type: "item.completed", item: { type: "agent_message", text: "first" } },
        { type: "item.completed", item: { type: "agent_message", text: "last" } },
        { type: "item.completed", item: { type: "command_execution", command: "rm x", status: "declined" } },
        { type: "turn.completed", usage: { input_tokens: 7, cached_input_tokens: 3, output_tokens: 2 } },
      ),
    );
    expect(reply).toEqual({
      text: "last",
      usage: { inputTokens: 7, outputTokens: 2, cachedTokens: 3 },
      problem: undefined,
      denials: ["rm x"],
    });
  });

  it("a failed turn is a problem in the program's own words, with the way to log in when that is it", () => {
    const failed = (message: string) =>
      codex.read?.(stream({ type: "error", message: "x" }, { type: "turn.failed", error: { message } }))?.problem;
    expect(failed("the model is gone")).toBe("the model is gone");
    expect(failed("unexpected status 401 Unauthorized")).toContain("codex login");
  });

  it("knows a login by its file or its key, and leaves other services to themselves", () => {
    const empty = place({}, join(home, "empty"));
    expect(codex.login?.(empty).state).toBe("missing");
    expect(codex.login?.(place({ CODEX_API_KEY: "k" }, join(home, "empty"))).state).toBe("present");
    mkdirSync(join(home, ".codex"), { recursive: true });
    writeFileSync(join(home, ".codex/config.toml"), 'model = "gpt-5.5"\nmodel_provider = "mine"\n');
    expect(codex.login?.(place()).state).toBe("unknown");
    expect(codex.defaultModel?.(place())).toBe("gpt-5.5");
    writeFileSync(join(home, ".codex/auth.json"), '{"OPENAI_API_KEY":"x"}');
    expect(codex.login?.(place()).state).toBe("present");
  });
});

describe("the models of Codex", () => {
  const known = (at: string) => (typeof codex.models === "function" ? codex.models(place({}, at)) : codex.models);
  const modelsIn = (name: string, cache: string): readonly string[] => {
    const at = join(home, name);
    mkdirSync(join(at, ".codex"), { recursive: true });
    writeFileSync(join(at, ".codex/models_cache.json"), cache);
    return known(at);
  };

  it("are those its service reported, the first choice first, and those it came with", () => {
    const models = [
      { slug: "gpt-9-mini", visibility: "list", priority: 2 },
      { slug: "gpt-9", visibility: "list", priority: 1 },
      { slug: "secret-review", visibility: "hide", priority: 0 },
      { slug: "--oops", visibility: "list", priority: 3 },
      { slug: 7 },
    ];
    const found = modelsIn("cached", JSON.stringify({ fetched_at: "now", models }, null, 2));
    expect(found.slice(0, 2)).toEqual(["gpt-9", "gpt-9-mini"]);
    expect(found).toContain("gpt-5.5");
    expect(found.join(" ")).not.toMatch(/secret|oops/);
  });

  it.each(["", "{", "[]", '{"models":7}', '{"models":[null]}'])("are those it came with when it kept %s", (cache) => {
    expect(modelsIn("odd", cache)).toEqual(known(join(home, "empty")));
  });
});

describe("Claude Code", () => {
  it("[R-2] as reader has no tool that writes or runs; as worker a shell only within our walls", () => {
    expect(after(claude.command(asked()).args, "--tools")).toBe("Read,Glob,Grep");
    const worker = (confined: boolean) => claude.command(asked({ mayEdit: true, confined }));
    const tools = after(claude.command(asked({ mayEdit: true, nests: false })).args, "--tools");
    expect(tools).not.toContain("Bash");
    expect(after(worker(true).args, "--tools")).toContain("Bash");
    expect(after(worker(false).args, "--tools")).not.toContain("Bash");
    expect(worker(false).files).toBeUndefined();
  });

  it("loads no settings, hooks or servers, neither the repository's nor the user's", () => {
    const { args } = claude.command(asked());
    expect(args).toContain("--setting-sources=");
    expect(args).toContain("--strict-mcp-config");
  });

  it("a denial comes with success and is reported; tokens of the cache count, and the cost is kept", () => {
    const reply = claude.read?.(
      stream(
        { type: "system", subtype: "init" },
        {
          type: "result",
          subtype: "success",
          is_error: false,
          result: "as text",
          structured_output: { status: "ok" },
          total_cost_usd: 0.25,
          usage: {
            input_tokens: 5,
            cache_creation_input_tokens: 3,
            cache_read_input_tokens: 2,
            output_tokens: 4,
          },
          permission_denials: [{ tool_name: "Write" }],
        },
      ),
    );
    expect(reply).toEqual({
      text: '{"status":"ok"}',
      usage: { inputTokens: 10, outputTokens: 4, cachedTokens: 2, costUsd: 0.25 },
      problem: undefined,
      denials: ["Write"],
    });
  });

  it("an error is a problem however the program ended, and a stream without a result is not an answer", () => {
    const failed = {
      type: "result",
      subtype: "success",
      is_error: true,
      result: "Invalid API key · Please run /login",
    };
    expect(claude.read?.(stream(failed))?.problem).toContain("claude auth login");
    expect(claude.read?.(stream({ type: "result", subtype: "error_max_turns" }))?.problem).toBe("error_max_turns");
    expect(claude.read?.({ stdout: '{"type":"result","sub', stderr: "" })?.text).toBeUndefined();
  });

  it("hostile counts are not believed", () => {
    const usage = { input_tokens: -5, output_tokens: 1e300, cache_read_input_tokens: "9" };
    const reply = claude.read?.(stream({ type: "result", subtype: "success", result: "x", usage, total_cost_usd: -1 }));
    expect(reply?.usage).toEqual({ inputTokens: 0, outputTokens: 0 });
  });
});

describe("what is reported while an agent works", () => {
  const progressOf = (describeEvent: NonNullable<typeof codex.describeEvent>, ...chunks: (string | Buffer)[]) => {
    const lines: string[] = [];
    const listen = createProgressReader(
      { describeEvent },
      { progress: (line) => lines.push(line), workspace },
      { used: () => none },
    );
    for (const chunk of chunks) listen("stdout", Buffer.from(chunk));
    listen("stderr", Buffer.from('{"type":"item.started"}\n'));
    return lines;
  };
  const none = { inputTokens: 0, outputTokens: 0 };
  const workspace = { mode: "worktree", dir: "/w/run_1" } as const;
  const describeCodex = codex.describeEvent ?? (() => undefined);
  const describeClaude = claude.describeEvent ?? (() => undefined);

  it("commands and edits of Codex, however the stream is cut", () => {
    const event = { type: "item.started", item: { type: "command_execution", command: "npm tést" } };
    const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
    const at = bytes.indexOf(0xc3) + 1;
    expect(progressOf(describeCodex, bytes.subarray(0, at), bytes.subarray(at))).toEqual(["$ npm tést"]);
    const edit = { type: "item.completed", item: { type: "file_change", changes: [{ path: "a.txt" }] } };
    expect(progressOf(describeCodex, `${JSON.stringify(edit)}\n{"type":"turn.completed"}\nnoise\n`)).toEqual([
      "edits a.txt",
    ]);
  });

  it("tools of Claude, without what would repaint a screen", () => {
    const use = (name: string, input: object) =>
      `${JSON.stringify({
        type: "assistant",
        message: {
          content: [
            { type: "text", text: "x" },
            { type: "tool_use", name, input },
          ],
        },
      })}\n`;
    expect(
      progressOf(
        describeClaude,
        use("Bash", { command: "ls\u001b[2J\n\u202eevil" }),
        use("Read", { file_path: "/a" }),
        use("constructor", {}),
      ),
    ).toEqual(["$ ls evil", "reads /a"]);
  });

  it("a try that the service refused, and ends the call where another one cannot help", () => {
    const tries = (...answers: object[]) => {
      const [lines, ends]: [string[], string[]] = [[], []];
      const call = { progress: (line: string) => lines.push(line), workspace };
      const read = createProgressReader(claude, call, { used: () => none }, (why) => ends.push(why));
      for (const [at, one] of answers.entries()) {
        const event = { type: "system", subtype: "api_retry", attempt: at + 1, max_retries: 10, ...one };
        read("stdout", Buffer.from(`${JSON.stringify(event)}\n`));
      }
      return { lines, ends };
    };
    const busy = { error_status: 529, error: "overloaded" };
    expect(tries(busy, { error_status: null, error: "unknown" })).toEqual({
      lines: [
        "the service refused: 529 overloaded, try 1 of 10",
        "the service refused: no connection unknown, try 2 of 10",
      ],
      ends: [],
    });
    const refused = { error_status: 401, error: "authentication_failed" };
    expect(tries(busy, refused).ends).toEqual(["401 authentication failed, try 2 of 10"]);
  });

  it("the words of each program, whole or in pieces, and the tokens so far; files by their short names", () => {
    const reported: object[] = [];
    const actions: string[] = [];
    const used = { inputTokens: 5, outputTokens: 2 };
    const read = (program: Pick<typeof codex, "describeEvent" | "textOf">, ...events: object[]) => {
      const call = { news: (news: object) => reported.push(news), progress: (line: string) => actions.push(line) };
      const listen = createProgressReader(program, { ...call, workspace }, { used: () => used });
      for (const event of events) listen("stdout", Buffer.from(`${JSON.stringify(event)}\n`));
      return reported.splice(0).filter((news) => "says" in news);
    };
    const item = (type: string, more: object) => ({ type: "item.completed", item: { type, ...more } });
    expect(read(codex, item("reasoning", { text: "Hm" }), item("agent_message", { text: "So" }))).toEqual([
      { says: "Hm", growing: false },
      { says: "So", growing: false },
    ]);
    read(codex, item("file_change", { changes: [{ path: "/w/run_1/src/a.js" }] }));
    expect(actions.splice(0)).toEqual(["edits src/a.js"]);
    const content = [{ type: "text", text: "I look" }];
    expect(read(claude, { type: "assistant", message: { content } })).toEqual([{ says: "I look", growing: false }]);
    const piece = (text: string) => ({ type: "message", role: "assistant", content: text, delta: true });
    expect(read(gemini, piece("I "), piece("see"), { type: "message", role: "user", content: "no" })).toEqual([
      { says: "I ", growing: true },
      { says: "I see", growing: true },
    ]);
    expect(read(opencode, { type: "text", part: { text: "Done." } })).toEqual([{ says: "Done.", growing: false }]);
    read(codex, { type: "x" });
    createProgressReader(
      {},
      { news: (news) => reported.push(news), workspace },
      { used: () => used },
    )("stdout", Buffer.from("{}\n"));
    expect(reported).toEqual([{ usage: used }]);
  });

  it("a line that never ends is not held", () => {
    const piece = "x".repeat(2 * 1024 ** 2);
    expect(progressOf(describeCodex, ...Array.from({ length: 8 }, () => piece))).toEqual([]);
  });
});
