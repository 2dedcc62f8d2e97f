// The browser of another machine: one home lends its browser, another one asks with it, over TLS with the token and over SSH.
import type { ChildProcess } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secureConnection } from "../../src/oracle/browser/remote/secure.ts";
import { waitFor } from "../oracle/wait.ts";
import { bin } from "../oracle/built.ts";
import { picture } from "../sites/server.ts";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

describe.skipIf(chromium === undefined)("the browser of another machine", () => {
  const on = stageFor("public");
  let server: ChildProcess;
  let log = "";
  let address = "";
  let token = "";
  /** The environment of the machine without a browser. */
  let there: Record<string, string> = {};

  beforeAll(async () => {
    const { stage } = on;
    server = stage.start(["serve", "--listen", "127.0.0.1:0"]);
    server.stderr?.on("data", (chunk: Buffer) => (log += chunk.toString("utf8")));
    await waitFor(() => /at 127\.0\.0\.1:\d+;/.test(log), "the server");
    address = /at (127\.0\.0\.1:\d+);/.exec(log)?.[1] ?? "";
    token = readFileSync(join(stage.folder, "serve-token"), "utf8").trim();
    const home = join(stage.dir, "other-machine");
    mkdirSync(join(home, "browser"), { recursive: true });
    cpSync(join(stage.folder, "sites"), join(home, "browser", "sites"), { recursive: true });
    there = {
      ORACLE_HOME_DIR: home,
      ORACLE_BROWSER: "/nowhere/chrome",
      ORACLE_BROWSER_ARGS: "",
      ORACLE_REMOTE_TOKEN: token,
    };
  });
  afterAll(() => {
    server.kill("SIGTERM");
  });

  it("[T-37] carries question, files, answer and pictures; nothing of it needs a browser here", async () => {
    on.stage.withRepository({ "long.txt": `${"words and words ".repeat(5)}\n`.repeat(1_000) });
    const args = ["--remote", address, "-f", "long.txt"];
    const { result, answer, posts, ran } = await on.stage.ask(
      "chatgpt",
      { answers: ["From afar."], pictures: 1 },
      args,
      there,
    );
    expect(result, ran.stderr).toMatchObject({ status: "success", error: null });
    expect(answer).toBe("From afar.");
    expect(posts).toHaveLength(1);
    expect(posts[0]?.files).toEqual([expect.objectContaining({ name: "oracle-context.md" })]);
    expect(posts[0]?.files[0]?.bytes).toBeGreaterThan(60_000);
    expect(readFileSync(result.files[0] ?? "").equals(picture)).toBe(true);
    expect(result.files[0]).toContain("other-machine");
    expect(log).toContain("connected: ");
    expect(log).not.toContain(token);
    expect(statSync(join(on.stage.folder, "serve-token")).mode & 0o777).toBe(0o600);
    on.stage.forgetRepository();
  });

  it("[T-37] ORACLE_REMOTE does the same, and --followup goes on there", async () => {
    const env = { ...there, ORACLE_REMOTE: address };
    const first = await on.stage.ask("copilot", { answers: ["First.", "Second."] }, [], env);
    expect(first.answer).toBe("First.");
    // The session knows the machine.
    const args = ["-p", "And then?", "--followup", first.result.sessionId ?? ""];
    expect(await on.stage.run(args, { env: there })).toMatchObject({ code: 0, stdout: "Second.\n" });
    expect(on.sites.postsOf(first.id)).toHaveLength(2);
  });

  it("[T-37] without the token nothing is reached, and nothing is sent", async () => {
    for (const [given, words] of [
      ["x".repeat(43), "cannot be reached"],
      ["short", "ORACLE_REMOTE_TOKEN is no token"],
      ["", "The token for --remote is missing"],
    ] as const) {
      const { result, posts } = await on.stage.ask("chatgpt", {}, ["--remote", address], {
        ...there,
        ORACLE_REMOTE_TOKEN: given,
      });
      expect(result.status).toBe("error");
      expect(result.error?.message).toContain(words);
      expect(posts).toEqual([]);
    }
    const [host = "", port = ""] = address.split(":");
    const plain = connect(Number(port), host);
    const said = await new Promise<string>((resolve) => {
      let text = "";
      plain.on("data", (chunk) => (text += chunk.toString("latin1")));
      plain.on("close", () => resolve(text));
      plain.on("error", () => undefined);
      plain.write('{"id":1,"ask":"hello","protocol":1,"host":"x"}\n');
    });
    expect(said).not.toContain("result");
  });

  it("[T-37] who has the token reaches a tab, and neither a file of that machine nor the end of its browser", async () => {
    const [host = "", port = ""] = address.split(":");
    const socket = await secureConnection(host, Number(port), token);
    const replies: { id: number; error?: string; result?: Record<string, unknown> }[] = [];
    let rest = "";
    socket.on("data", (chunk: Buffer) => {
      rest += chunk.toString("utf8");
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const reply = JSON.parse(line) as { id?: number };
        if (reply.id !== undefined) replies.push(reply as never);
      }
    });
    const ask = async (id: number, request: object) => {
      socket.write(`${JSON.stringify({ id, ...request })}\n`);
      await waitFor(() => replies.some((reply) => reply.id === id), `reply ${id}`);
      return replies.find((reply) => reply.id === id);
    };
    const owner = { pid: 1, startedAt: "", host: "elsewhere" };
    expect((await ask(1, { ask: "view" }))?.error).toContain("say hello first");
    expect((await ask(2, { ask: "hello", protocol: 99, host: "x" }))?.error).toContain("protocol");
    expect((await ask(3, { ask: "hello", protocol: 1, host: "x" }))?.result).toMatchObject({ protocol: 1 });
    expect((await ask(4, { ask: "stop" }))?.error).toContain("only the machine of the browser");
    expect((await ask(5, { ask: "lease", key: "a", owner }))?.result).toMatchObject({ taken: false });
    const given = {
      ask: "cdp",
      method: "DOM.setFileInputFiles",
      params: { files: ["/etc/hostname"], backendNodeId: 1 },
    };
    expect((await ask(6, given))?.error).toContain("only files that were put here");
    expect((await ask(7, { ask: "cdp", method: "Network.getCookies", params: {} }))?.error).toContain("not allowed");
    for (const [at, url] of ["file:///etc/hostname", "chrome://settings", "view-source:https://x.invalid"].entries())
      expect((await ask(20 + at, { ask: "cdp", method: "Page.navigate", params: { url } }))?.error).toContain(
        "only https",
      );
    const tabs = [{ key: "", state: "in_use", since: expect.any(String) as string }];
    expect((await ask(30, { ask: "view" }))?.result).toMatchObject({ view: { tabs } });
    const file = { ask: "file", name: "../../evil.txt", base64: Buffer.from("x").toString("base64") };
    const path = String((await ask(8, file))?.result?.["path"]);
    expect(path).toMatch(/oracle-remote-[\w-]+\/f-\w+\/evil\.txt$/);
    expect((await ask(9, { ask: "release" }))?.error).toBeUndefined();
    socket.destroy();
    await waitFor(() => !existsQuietly(path), "the end of the put file");
  });

  it("[T-37] ssh://HOST starts the other side over SSH, with no server and no token", async () => {
    const programs = join(on.stage.dir, "programs");
    mkdirSync(programs);
    const home = on.stage.home;
    const line = `exec env ORACLE_HOME_DIR='${home}' ORACLE_BROWSER='${chromium ?? ""}' ORACLE_BROWSER_MODE=headless ORACLE_BROWSER_ARGS='${on.sites.browserArgs}'`;
    const { execPath } = process;
    writeFileSync(
      join(programs, "ssh"),
      `#!/bin/sh\nprintf '%s\\n' "$*" >> '${on.stage.dir}/ssh.log'\n${line} '${execPath}' '${bin}' serve --stdio\n`,
    );
    chmodSync(join(programs, "ssh"), 0o755);
    const env = {
      ...there,
      ORACLE_REMOTE_TOKEN: "",
      PATH: `${programs}:${there["PATH"] ?? process.env["PATH"] ?? ""}`,
    };
    const { result, answer, ran } = await on.stage.ask(
      "gemini",
      { answers: ["Over SSH."] },
      ["--remote", "ssh://me@far:2222"],
      env,
    );
    expect(result, ran.stderr).toMatchObject({ status: "success", error: null });
    expect(answer).toBe("Over SSH.");
    expect(readFileSync(join(on.stage.dir, "ssh.log"), "utf8")).toContain("-p 2222 -- me@far oracle serve --stdio");
    const bad = await on.stage.ask("gemini", {}, ["--remote", "ssh://-oProxyCommand=x"], env);
    expect(bad.result.error?.message).toContain("names no machine");
  });
});

function existsQuietly(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
