// The MCP tools over real standard streams, with the official client, in both generations of the protocol.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Bench, fence } from "./bench.ts";
import { bin, scriptedBin } from "./built.ts";

let bench: Bench;
const clients: Client[] = [];
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  bench.dispose();
});

type Mode = "legacy" | "modern";

async function connect(mode: Mode, roots: readonly string[] | null = null, cwd = bench.dir): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: roots === null ? {} : { roots: {} },
      versionNegotiation: { mode: mode === "legacy" ? "legacy" : { pin: "2026-07-28" } },
    },
  );
  if (roots !== null)
    client.setRequestHandler("roots/list", async () => ({
      roots: roots.map((path) => ({ uri: pathToFileURL(path).href })),
    }));
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [scriptedBin, "mcp"], cwd, env: bench.env }),
  );
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content;
  return {
    isError: result.isError === true,
    text: content?.type === "text" ? content.text : "",
    output: result.structuredContent as Record<string, unknown> | undefined,
  };
}

describe.each<Mode>(["legacy", "modern"])("oracle mcp, %s protocol", (mode) => {
  it("offers consult and sessions, with the options of the command line", async () => {
    const client = await connect(mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(["consult", "sessions"]);
    const consult = tools.find(({ name }) => name === "consult");
    const properties = consult?.inputSchema.properties ?? {};
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining([
        "prompt",
        "file",
        "engine",
        "applyMode",
        "secretScan",
        "browserBundleFormat",
        "action",
        "sessionId",
      ]),
    );
    expect(properties["browserBundleFormat"]).toMatchObject({ enum: ["text", "zip"] });
    expect(Object.keys(properties)).not.toContain("baseUrl");
    expect(Object.keys(properties)).not.toContain("approvePath");
    for (const tool of tools) {
      expect(tool.outputSchema, tool.name).toMatchObject({ type: "object" });
      expect(tool.annotations, tool.name).toMatchObject({ readOnlyHint: false });
    }
    expect(consult?.annotations).toMatchObject({ destructiveHint: true, openWorldHint: true });
  });

  it("dryRun shows what would be sent and sends nothing", async () => {
    bench.withRepository({ "a.txt": "one\n", "b.bin": "x" }).double([{ answer: "never" }]);
    const client = await connect(mode, null, bench.repo);
    const { output, text } = await call(client, "consult", { prompt: "look at it", file: ["."], dryRun: true });
    expect(output).toMatchObject({
      sessionId: null,
      status: "dry_run",
      preview: { files: [{ path: "a.txt" }, { path: "b.bin" }] },
    });
    expect(text).toContain("Nothing was sent");
    const upstream = { prompt: "look at it", files: ["a.txt"], browserThinkingTime: "extended", dryRun: true };
    expect((await call(client, "consult", upstream)).output).toMatchObject({ preview: { files: [{ path: "a.txt" }] } });
    const outside = await call(client, "consult", { ...upstream, files: ["../../etc/hostname"] });
    expect(outside.isError).toBe(true);
    expect(bench.sent).toEqual([]);
    expect(bench.sessionIds).toEqual([]);
  });

  it("lists sessions as resources, and reads the answer and the diff of one", async () => {
    const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
    bench.withRepository({ "a.txt": "one\n" }).double([{ answer: `Change it:\n\n${fence(diff)}` }]);
    const client = await connect(mode, null, bench.repo);
    const { output } = await call(client, "consult", { prompt: "look at it", applyMode: "check" });
    const id = String(output?.["sessionId"]);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["oracle://sessions", `oracle://sessions/${id}`]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await read(`oracle://sessions/${id}/answer`)).toMatchObject({ text: expect.stringContaining("Change it") });
    expect(await read(`oracle://sessions/${id}/diff`)).toMatchObject({ text: diff });
    expect(JSON.parse(String(((await read(`oracle://sessions/${id}`)) as { text?: string }).text))).toMatchObject({
      status: "success",
    });
    for (const bad of [
      "oracle://sessions/no-such-one",
      "oracle://sessions/../../etc/passwd",
      `oracle://sessions/${id}/log`,
    ])
      await expect(read(bad), bad).rejects.toThrow();
  });

  it("pushes for a client only when the user's own configuration says so", async () => {
    bench.withRepository({ "a.txt": "one\n" }).double([{ answer: "no diff" }]);
    const asked = { prompt: "change it", applyMode: "commit", push: true };
    const client = await connect(mode, null, bench.repo);
    const { isError, text } = await call(client, "consult", asked);
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining("mcpPush") });
    expect(bench.sent).toEqual([]);
    expect(bench.sessionIds).toEqual([]);
    mkdirSync(bench.home, { recursive: true });
    writeFileSync(join(bench.home, "config.json"), JSON.stringify({ mcpPush: true }));
    const allowed = await call(client, "consult", asked);
    expect(allowed.text).not.toContain("mcpPush");
  });

  it("consult waits for an answer", async () => {
    bench.double([{ answer: "42" }]);
    const { output, text, isError } = await call(await connect(mode), "consult", {
      prompt: "what is the answer",
    });
    expect(isError, text).toBe(false);
    expect(output).toMatchObject({
      status: "success",
      done: true,
      answer: "42",
      result: { status: "success" },
    });
    expect(text).toBe("42");
  });

  it("asks several models at once, with a session each, and applies nothing", async () => {
    bench.double([{ answer: "42" }]);
    const client = await connect(mode);
    const asked = { prompt: "what is the answer", models: ["gpt-5.5", "gpt-5.4"] };
    const { output, text, isError } = await call(client, "consult", asked);
    expect(isError, text).toBe(false);
    expect(output).toMatchObject({ sessionId: null, status: "success", done: true });
    const several = output?.["several"] as { model: string; answer: string; sessionId: string }[];
    expect(several.map(({ model }) => model)).toEqual(["gpt-5.5", "gpt-5.4"]);
    expect(several.map(({ answer }) => answer)).toEqual(["42", "42"]);
    expect(bench.sent).toHaveLength(2);
    expect(bench.sessionIds.toSorted()).toEqual(several.map(({ sessionId }) => sessionId).sort());
    expect(text).toContain("## gpt-5.5: success");
    for (const bad of [
      { ...asked, applyMode: "apply" },
      { ...asked, model: "gpt-5.5" },
      { ...asked, models: ["a", "b", "c", "d", "e"] },
      { ...asked, dryRun: true },
    ])
      expect((await call(client, "consult", bad)).isError, JSON.stringify(bad)).toBe(true);
    expect(bench.sessionIds).toHaveLength(2);
  });

  it("starts, polls and waits; a run outlives the connection", async () => {
    bench.double([{ answer: "slow", until: bench.gate }]);
    const client = await connect(mode);
    const started = await call(client, "consult", { prompt: "take your time", action: "start" });
    expect(started.output).toMatchObject({ done: false, answer: null, result: null });
    const sessionId = String(started.output?.["sessionId"]);
    expect((await call(client, "consult", { action: "poll", sessionId })).output).toMatchObject({
      done: false,
    });
    await client.close();
    const again = await connect(mode);
    bench.open();
    const waited = await call(again, "consult", { action: "wait", sessionId, waitSeconds: 30 });
    expect(waited.output).toMatchObject({ done: true, answer: "slow" });
    const listed = await call(again, "sessions", {});
    expect(listed.output).toMatchObject({ sessions: [{ id: sessionId, status: "success" }] });
  });

  it("[Z-14] takes text by default and refuses an unknown bundle format", async () => {
    bench.double([{ answer: "ok" }]);
    const client = await connect(mode);
    const bad = await call(client, "consult", { prompt: "x", browserBundleFormat: "rar" });
    expect(bad.isError).toBe(true);
    expect(bad.text).toMatch(/browserBundleFormat/);
    expect((await call(client, "consult", { prompt: "x", noSuchOption: 1 })).isError).toBe(true);
    await call(client, "consult", { prompt: "three words here" });
    expect(bench.session().record.options.files.format).toBe("text");
  });

  it("confines every path to the client's roots, links followed", async () => {
    const inside = join(bench.dir, "inside");
    const outside = join(bench.dir, "outside");
    const sibling = join(bench.dir, "inside-too");
    for (const folder of [inside, outside, sibling]) mkdirSync(folder);
    writeFileSync(join(sibling, "prompt.md"), "the plan of a neighbour");
    writeFileSync(join(outside, "prompt.md"), "the secret plan");
    writeFileSync(join(inside, "prompt.md"), "the open plan");
    symlinkSync(outside, join(inside, "link"));
    bench.double([{ answer: "ok" }]);
    const client = await connect(mode, [inside]);
    for (const bad of [
      { promptFile: join(outside, "prompt.md") },
      { promptFile: "../outside/prompt.md" },
      { promptFile: "link/prompt.md" },
      { prompt: "x", writeOutput: join(outside, "answer.md") },
      { prompt: "x", jsonOutput: "link/result.json" },
      { prompt: "x", file: ["../outside/prompt.md"] },
      { prompt: "x", file: [join(outside, "prompt.md")] },
      { prompt: "x", file: [join(sibling, "prompt.md")] },
      { promptFile: join(sibling, "prompt.md") },
      { prompt: "x", cwd: outside },
      { prompt: "x", applyMode: "check", gitRoot: outside },
    ]) {
      const { isError, text } = await call(client, "consult", bad);
      expect(isError, JSON.stringify(bad)).toBe(true);
      expect(text).toMatch(/^permission_denied/);
    }
    expect(bench.sent).toEqual([]);
    const { output } = await call(client, "consult", { promptFile: "prompt.md", writeOutput: "answer.md" });
    expect(output).toMatchObject({ done: true });
    expect(bench.sent[0]?.["prompt"]).toBe("the open plan");
    expect(readFileSync(join(inside, "answer.md"), "utf8")).toBe("ok");
  });
});

describe("oracle mcp", () => {
  it("applies and commits for a client that asks for it, inside its root", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    bench.double([
      { answer: fence("diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n") },
    ]);
    const client = await connect("modern", [bench.repo]);
    const { output, text } = await call(client, "consult", { prompt: "change it", applyMode: "commit" });
    expect(output, text).toMatchObject({ status: "success", result: { diffApplied: true } });
    expect(bench.git("show", "HEAD:a.txt")).toBe("two");
  });

  it("changes nothing of a repository that begins above the client's root", async () => {
    bench.withRepository({ "a.txt": "one\n", "sub/b.txt": "two\n" });
    bench.double([
      { answer: fence("diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n") },
    ]);
    const client = await connect("modern", [join(bench.repo, "sub")]);
    const { output, isError } = await call(client, "consult", { prompt: "change it", applyMode: "apply" });
    expect(isError || output?.["status"] !== "success").toBe(true);
    expect(readFileSync(join(bench.repo, "a.txt"), "utf8")).toBe("one\n");
  });

  it("a configured root wins over what the client names, and a running session can be cancelled", async () => {
    const root = join(bench.dir, "configured");
    mkdirSync(root);
    mkdirSync(bench.home);
    writeFileSync(join(bench.home, "config.json"), JSON.stringify({ mcpRoot: root }));
    bench.double([{ hang: true }]);
    const client = await connect("modern", ["/"]);
    expect((await call(client, "consult", { prompt: "x", cwd: "/etc" })).text).toMatch(/^permission_denied/);
    const { output } = await call(client, "consult", { prompt: "never ends", waitSeconds: 1 });
    expect(output).toMatchObject({ done: false, status: "running" });
    const sessionId = String(output?.["sessionId"]);
    const cancelled = await call(client, "sessions", { action: "cancel", sessionId });
    expect(cancelled.output).toMatchObject({
      sessions: [{ status: "error", result: { error: { code: "interrupted" } } }],
    });
  });

  it("[B-4] gives no approval, also where an agent or a check of a run started the server", async () => {
    const path = ".github/workflows/ci.yml";
    bench.withRepository({ "a.txt": "one\n" });
    const diff = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+on: push\n`;
    bench.double([{ answer: fence(diff) }]);
    bench.env["THEHOOD_COMMAND"] = "x";
    const client = await connect("modern", [bench.repo]);
    const asked = { prompt: "change the checks", applyMode: "apply" };
    const { isError, text } = await call(client, "consult", { ...asked, approvePath: [path] });
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining("approvePath") });
    expect(bench.sent).toEqual([]);
    const applied = await call(client, "consult", asked);
    expect(applied.output).toMatchObject({ status: "apply_failed", result: { diffReason: "exec_config" } });
    expect(existsSync(join(bench.repo, path))).toBe(false);
  });

  it("[T-22] a person approves by the command that the client gets: the same diff, message and limits", async () => {
    const path = ".github/workflows/ci.yml";
    bench.withRepository({ "a.txt": "one\n" });
    const diff = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+on: push\n`;
    bench.double([{ answer: fence(diff) }]);
    const client = await connect("modern", [bench.repo]);
    const message = "Jo's checks; touch /tmp/x";
    const limits = { strictDiff: true, restrictPathPrefix: ".github/" };
    const asked = { prompt: "change the checks", applyMode: "commit", commitMessage: message, ...limits };
    const { output, text } = await call(client, "consult", asked);
    const command = String(output?.["approval"]);
    expect(text).toContain(command);
    expect(command).toMatch(/ --strict-diff --restrict-path-prefix .*--commit-message .* --approve-path \.github/);
    const tools = join(bench.dir, "tools");
    mkdirSync(tools);
    symlinkSync(bin, join(tools, "oracle"));
    const node = dirname(process.execPath);
    const env = { ...bench.env, PATH: `${tools}:${node}:${bench.env["PATH"] ?? ""}` };
    execFileSync("sh", ["-c", command], { cwd: bench.dir, env, stdio: "ignore" });
    expect(bench.git("log", "-1", "--format=%s")).toBe(message);
    expect(bench.read(path)).toBe("on: push\n");
  });

  it("[Z-14] takes a time as a number and as a text, and refuses an empty entry of a list", async () => {
    bench.double([{ answer: "ok" }]);
    const client = await connect("legacy");
    await call(client, "consult", { prompt: "three words here", timeout: 90, heartbeat: "5s" });
    expect(bench.session().record.options).toMatchObject({ timeoutMs: 90_000, heartbeatMs: 5_000 });
    const bad = await call(client, "consult", { prompt: "x", file: [""] });
    expect(bad).toMatchObject({ isError: true, text: expect.stringMatching(/^invalid_input: file/) });
    const empty = await call(client, "consult", { action: "wait" });
    expect(empty).toMatchObject({ isError: true, text: expect.stringContaining("neither a prompt nor a sessionId") });
  });

  it.each([
    { writeOutput: ".git/config" },
    { writeOutput: "CLAUDE.md" },
    { writeOutput: "a.txt" },
    { writeOutput: ".oracle/config.json" },
    { jsonOutput: ".github/workflows/ci.yml" },
    { diffOutput: ".git/hooks/pre-commit" },
    { promptFile: ".env" },
  ])("[S-4] a client cannot name a file that steers programs, exists or is hidden: %j", async (named) => {
    bench.withRepository({ "a.txt": "one\n" });
    bench.write(".env", "TOKEN=x\n");
    bench.double([{ answer: "[core]\n\tfsmonitor = touch pwned\n" }]);
    const client = await connect("legacy", [bench.repo]);
    const asked = "promptFile" in named ? named : { prompt: "three words here", ...named };
    const { isError, text } = await call(client, "consult", asked);
    expect(isError).toBe(true);
    expect(text).toMatch(/^permission_denied/);
    expect(bench.sent).toEqual([]);
  });

  it.each(["pipe", "endless.txt"])(
    "[S-8] a prompt file that could hold up every client is refused: %s",
    async (name) => {
      bench.withRepository({ "a.txt": "one\n" });
      execFileSync("mkfifo", [join(bench.repo, "pipe")]);
      bench.write("endless.txt", "");
      truncateSync(join(bench.repo, "endless.txt"), 64 << 20);
      bench.double([{ answer: "ok" }]);
      const client = await connect("legacy", [bench.repo]);
      const { isError, text } = await call(client, "consult", { promptFile: name });
      expect({ isError, text }).toEqual({
        isError: true,
        text: expect.stringMatching(/^permission_denied: promptFile/),
      });
      expect((await call(client, "sessions", {})).isError).toBe(false);
      expect(bench.sent).toEqual([]);
    },
  );

  it("a pattern that no file can have is refused, not a fault of ours", async () => {
    bench.withRepository({ "a.txt": "one\n" }).double([{ answer: "ok" }]);
    const client = await connect("legacy", [bench.repo]);
    const { output, text } = await call(client, "consult", { prompt: "look at it", file: ["a\0b", "a.txt"] });
    expect({ status: output?.["status"], text }).toEqual({
      status: "error",
      text: expect.stringContaining("is not sent: control char path. Nothing was sent."),
    });
    expect(bench.sent).toEqual([]);
  });

  it("[S-8] a root that is not there is none", async () => {
    bench.double([{ answer: "ok" }]);
    const client = await connect("legacy", [join(bench.dir, "nowhere")]);
    const { isError, text } = await call(client, "consult", { prompt: "three words here" });
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining("offers no folder") });
  });

  it("says first in the text how a run ended that was no success", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    const answer = fence("diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-other\n+two\n");
    bench.double([{ answer }]);
    const client = await connect("legacy", [bench.repo]);
    const { output, text } = await call(client, "consult", { prompt: "change it", applyMode: "commit" });
    expect(output).toMatchObject({ status: "apply_failed", answer });
    expect(text).toMatch(/^apply_failed: context_mismatch; /);
    expect(text).toContain(answer);
  });

  it("refuses a line that is too long and serves the next one", async () => {
    const child = bench.start(["mcp"]);
    const replies: Record<string, unknown>[] = [];
    let text = "";
    const answered = new Promise<void>((done) => {
      child.stdout?.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
        for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
          replies.push(JSON.parse(text.slice(0, end)) as Record<string, unknown>);
          text = text.slice(end + 1);
        }
        if (replies.length === 2) done();
      });
    });
    child.stdin?.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(5 << 20)}"}}\n`);
    child.stdin?.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    await answered;
    expect(replies).toMatchObject([
      { id: null, error: { code: -32_600 } },
      { id: 2, result: {} },
    ]);
    child.stdin?.end();
  });
});
