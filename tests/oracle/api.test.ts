// The API engine through the real command, against a loopback server that speaks the providers' formats.
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunResult, SessionRecord } from "../../src/core/contract/transport/index.ts";
import { ApiServer, type Step } from "../support/api-server.ts";
import { Bench, fence } from "./bench.ts";
import { waitFor } from "./wait.ts";

let bench: Bench;
let server: ApiServer;
const key = ["sk", "proj", "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"].join("-");
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  bench.dispose();
  await server.stop();
});

async function serve(steps: Step[], missing: string[] = []): Promise<void> {
  server = await ApiServer.start(steps, missing);
  bench.env["OPENAI_API_KEY"] = key;
  bench.env["OPENAI_BASE_URL"] = `${server.origin}/v1`;
}

const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";

describe("the API engine", () => {
  it("[T-1] is the default when OPENAI_API_KEY is set; without it the browser is, and flags win", async () => {
    await serve([{ text: "from the api" }]);
    expect((await bench.run(["-p", "which engine"])).stdout).toBe("from the api\n");
    expect(bench.session().record.mode).toBe("api");
    bench.double([{ answer: "from the page" }]);
    expect((await bench.run(["-p", "x", "--engine", "browser"])).stdout).toBe("from the page\n");
    expect((await bench.run(["-p", "x"], { env: { OPENAI_API_KEY: "" } })).stdout).toBe("from the page\n");
    expect((await bench.run(["-p", "x", "--copilot"])).stdout).toBe("from the page\n");
    expect(server.asked).toHaveLength(1);
  });

  it("takes an answer in one piece or packed, and says so when no API answered", async () => {
    await serve([]);
    const whole = {
      id: "resp_9",
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text", text: "in one piece" }] }],
    };
    let asked = 0;
    const other = createServer((request, response) => {
      asked += 1;
      request.resume();
      if (request.url?.startsWith("/html")) return void response.setHeader("content-type", "text/html").end("<html>");
      if (request.url?.startsWith("/away"))
        return void response.writeHead(307, { location: "https://other.example/v1" }).end();
      const packed = request.url?.startsWith("/gzip") === true;
      const body = Buffer.from(JSON.stringify(whole));
      response.setHeader("content-type", "application/json; charset=utf-8");
      if (packed) response.setHeader("content-encoding", "gzip");
      response.end(packed ? gzipSync(body) : body);
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const at = (path: string) => `http://127.0.0.1:${(other.address() as AddressInfo).port}/${path}/v1`;
    try {
      for (const path of ["json", "gzip"])
        expect((await bench.run(["-p", "hello there you", "--base-url", at(path)])).stdout).toBe("in one piece\n");
      expect(asked).toBe(2);
      const page = await bench.run(["-p", "hello there you", "--base-url", at("html")]);
      expect(page).toMatchObject({ code: 1, stderr: expect.stringContaining("text/html") as string });
      const away = await bench.run(["-p", "hello there you", "--base-url", at("away")]);
      expect(away).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("redirect to https://other.example") as string,
      });
      expect(asked).toBe(4);
    } finally {
      other.close();
    }
  });

  it("[T-8][T-32] gives the same session.json with usage, and answer.md", async () => {
    await serve([{ text: "An answer with ✓ and\nlines\n" }]);
    const ran = await bench.run(["-p", "hello there you", "-m", "gpt-5.5", "--json"]);
    expect(ran.code, ran.stderr).toBe(0);
    const usage = { inputTokens: 100, outputTokens: 20, reasoningTokens: 5, totalTokens: 120 };
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: "success",
      engine: "api",
      model: "gpt-5.5",
      usage,
      captureSource: "api",
    });
    const { record, dir } = bench.session();
    expect(record).toMatchObject({
      mode: "api",
      status: "success",
      usage,
      conversation: { responseId: "resp_1" },
    });
    expect(readFileSync(join(dir, "answer.md"), "utf8")).toBe("An answer with ✓ and\nlines\n");
    expect(server.asked[0]?.body).toMatchObject({ model: "gpt-5.5", stream: true, store: false });
  });

  it("[T-32] with diff flags gives the same result.json, applied and committed", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    await serve([{ text: fence(diff) }]);
    const ran = await bench.run(["-p", "change it now", "--apply-mode", "commit", "--push"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.session().result).toMatchObject({ status: "success", diffApplied: true, pushed: true });
    expect(bench.remoteHead()).toBe(bench.git("rev-parse", "HEAD"));
    expect(bench.read("a.txt")).toBe("two\n");
  });

  it("[T-17] asks again in the same conversation and counts it", async () => {
    await serve([{ text: "no diff, sorry" }, { text: fence(diff) }]);
    const ran = await bench.run(["-p", "change it", "--retry-if-no-diff", "--json"]);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: "success",
      retryCount: 1,
      usage: { totalTokens: 240 },
    });
    const sent = JSON.stringify(server.asked[1]?.body);
    expect(sent).toContain("no diff, sorry");
    expect(sent).toContain("could not be used");
    expect(bench.session().dir).toSatisfy(
      (dir: string) => readFileSync(join(dir, "answer-1.md"), "utf8") === "no diff, sorry",
    );
  });

  it("an answer cut short is partial: nothing of it is applied, its text is kept", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    await serve([{ text: fence(diff), incomplete: "max_output_tokens" }]);
    const ran = await bench.run(["-p", "change it", "--apply-mode", "apply", "--json"]);
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: "partial",
      diffReason: "incomplete_answer",
      diffApplied: false,
    });
    expect(bench.read("a.txt")).toBe("one\n");
    expect(readFileSync(bench.session().result.answerPath ?? "", "utf8")).toBe(fence(diff));
  });

  it("[T-32] a background answer survives kill -9: its id is on disk, and restart fetches it without sending again", async () => {
    await serve([{ text: "the long awaited", polls: 3 }]);
    const started = await bench.ended(bench.start(["-p", "think long about", "--background", "--no-wait"]));
    const id = started.stdout.trim();
    const record = () => JSON.parse(readFileSync(bench.file(id, "session.json"), "utf8")) as SessionRecord;
    await waitFor(() => record().conversation?.background === true, "the recorded id");
    process.kill(record().process?.pid ?? 0, "SIGKILL");
    const shown = await bench.run(["session", id]);
    expect(shown.stderr).toContain(`oracle restart ${id} fetches that answer`);
    const ran = await bench.run(["restart", id]);
    expect(ran).toMatchObject({ code: 0, stdout: "the long awaited\n" });
    expect(server.asked).toHaveLength(1);
    expect(bench.session(`${id}-2`).record.restartedFrom).toBe(id);
  });

  it("a cancelled background run tells the server to stop", async () => {
    await serve([{ text: "never", polls: 10_000 }]);
    const id = (await bench.ended(bench.start(["-p", "think long about", "--background", "--no-wait"]))).stdout.trim();
    await waitFor(() => server.seen.some(({ method }) => method === "GET"), "a poll");
    await bench.run(["cancel", id]);
    expect(server.seen.map(({ path }) => path)).toContain("/v1/responses/resp_1/cancel");
  });

  it("speaks to any compatible base URL, and to Anthropic by the model's name", async () => {
    await serve([{ text: "chat" }, { text: "claude" }], ["/v1/responses"]);
    bench.env["OPENAI_BASE_URL"] = "";
    const chat = await bench.run([
      "-p",
      "x",
      "--base-url",
      `${server.origin}/v1`,
      "-m",
      "local-model",
      "--engine",
      "api",
    ]);
    expect(chat).toMatchObject({ code: 0, stdout: "chat\n" });
    bench.env["ANTHROPIC_API_KEY"] = "anthropic-key-for-tests";
    const claude = await bench.run(["-p", "x", "-m", "claude-opus-5", "-e", "api"], {
      env: { ANTHROPIC_BASE_URL: server.origin },
    });
    expect(claude, claude.stderr).toMatchObject({ code: 0, stdout: "claude\n" });
    expect(server.seen.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/chat/completions", "/v1/messages"]);
    expect(server.asked.at(-1)?.headers["x-api-key"]).toBe("anthropic-key-for-tests");
    expect(server.asked.at(-1)?.headers.authorization).toBeUndefined();
  });

  it("no key means no run, and it is said before anything is sent", async () => {
    await serve([]);
    const ran = await bench.run(["-p", "x", "-e", "api"], {
      env: { OPENAI_API_KEY: "", OPENAI_BASE_URL: "" },
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("OPENAI_API_KEY is not set");
    expect(bench.session().result).toMatchObject({
      status: "error",
      error: { code: "provider_unavailable" },
    });
  });

  it("the key is nowhere: not in the session, not in the log, not in an error", async () => {
    await serve([{ status: 401, body: { error: { message: `bad key ${key}`, code: "invalid_api_key" } } }]);
    const ran = await bench.run(["-p", "who am I"]);
    expect(ran.code).toBe(1);
    const { dir } = bench.session();
    const kept = ["session.json", "result.json", "output.log", "metrics.json"].map((name) =>
      readFileSync(join(dir, name), "utf8"),
    );
    for (const text of [...kept, ran.stderr, ran.stdout]) expect(text).not.toContain(key);
    expect(ran.stderr).toContain("invalid_api_key");
  });
});

describe("a run that is stopped while words arrive", () => {
  it.each([
    ["/responses", []],
    ["/chat/completions", ["--provider", "openai-chat"]],
  ])("[T-28][T-29] ends as a timeout, with what had come kept as partial (%s)", async (_path, flags) => {
    await serve([{ text: "The first half of an answer, and the second half of it.", stall: true }]);
    const ran = await bench.run(["-p", "please wait for it", "--timeout", "5s", "--json", ...flags]);
    expect(ran.code).toBe(6);
    const { result, dir } = bench.session();
    expect(result).toMatchObject({ status: "timeout", error: { code: "timeout" } });
    expect(readFileSync(result.answerPath ?? "", "utf8")).toContain("The first half");
    expect(result.answerPath).not.toBe(join(dir, "answer.md"));
  });

  it("[T-28] ends as interrupted on a signal", async () => {
    await serve([{ text: "The first half of an answer, and the second half of it.", stall: true }]);
    const child = bench.start(["-p", "please wait for it", "--json"], { ORACLE_NO_DETACH: "1" });
    const ended = bench.ended(child);
    await waitFor(() => server.asked.length === 1);
    child.kill("SIGINT");
    expect((await ended).code).toBe(1);
    expect(bench.session().result).toMatchObject({ status: "error", error: { code: "interrupted" } });
  });

  it.each(["a signal", "oracle cancel"])(
    "[T-28] ends as interrupted on %s also after the first words, and none of them is the answer",
    async (how) => {
      await serve([{ text: "The first half of an answer, and the second half of it.", stall: true }]);
      const asked = ["-p", "please wait for it", "--json", "--heartbeat", "1s"];
      const child = bench.start(asked, { ORACLE_NO_DETACH: "1" });
      let said = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
      const ended = bench.ended(child);
      await waitFor(() => /[1-9]\d* characters so far/.test(said), "the first words");
      const id = bench.sessionIds[0] ?? "";
      if (how === "a signal") child.kill("SIGINT");
      else await bench.run(["cancel", id]);
      expect((await ended).code).toBe(1);
      const { result, dir } = bench.session(id);
      expect(result).toMatchObject({ status: "error", error: { code: "interrupted" } });
      expect(existsSync(join(dir, "answer.md"))).toBe(false);
    },
  );
});

describe("a request that is not what the user meant", () => {
  it("[T-23] is refused before anything is sent when a named file or glob cannot be sent", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    bench.write("data.bin", Buffer.from([0, 1, 2]));
    bench.write("latin.txt", Buffer.from("caf\xe9\n", "latin1"));
    await serve([{ text: "ok" }]);
    const asked = ["-p", "look at it", "-f", "a.txt", "./data.bin", "latin.txt", "nothing/*.ts", "../far.txt"];
    const ran = await bench.run([...asked, "--json"]);
    const { error, status } = JSON.parse(ran.stdout) as RunResult;
    expect(ran.code).toBe(1);
    expect(status).toBe("error");
    expect(error).toMatchObject({ code: "invalid_input" });
    for (const words of [
      "../far.txt is not sent: outside root.",
      "data.bin is not sent: binary.",
      "latin.txt is not sent: not utf8.",
      "nothing/*.ts is not sent: not found.",
      "Nothing was sent.",
    ])
      expect(error?.message).toContain(words);
    expect(server.asked).toEqual([]);
    const dry = await bench.run([...asked, "--dry-run"]);
    expect(dry.code).toBe(1);
    expect(dry.stdout + dry.stderr).toContain("data.bin is not sent: binary.");
    expect(dry.stderr).toMatch(/A run would be refused: .*--root for another folder/);
  });

  it("[Z-10] an ignored file that is named by its path is sent, and the dry run says the same", async () => {
    bench.withRepository({ "a.txt": "one\n", ".gitignore": "hidden.txt\nout/\n" });
    bench.write("hidden.txt", "from a hidden file\n");
    bench.write("out/x.js", "from an ignored folder\n");
    await serve([{ text: "ok" }]);
    const asked = ["-p", "look at it", "-f", join(realpathSync(bench.repo), "hidden.txt"), "sub/.././/out/x.js"];
    expect((await bench.run([...asked, "--dry-run"])).code).toBe(0);
    expect(server.asked).toEqual([]);
    expect((await bench.run([...asked, "--json"])).code).toBe(0);
    expect(JSON.stringify(server.asked)).toContain("from a hidden file");
    expect(JSON.stringify(server.asked)).toContain("from an ignored folder");
  });

  it.each([
    ["an absolute path", (repo: string) => join(repo, "sub/b.bin"), "binary"],
    ["a path with turns", () => "out/.././/sub/b.bin", "binary"],
    ["an ignored folder", () => "out", "ignored"],
    ["an empty folder", () => "empty", "no file"],
    ["a folder with nothing that can be sent", () => "./sub/", "binary"],
  ])("[T-23] is refused before anything is sent when a file is named by %s", async (_how, named, reason) => {
    bench.withRepository({ "a.txt": "one\n", ".gitignore": "out/\n" });
    bench.write("out/x.js", "x\n");
    bench.write("sub/b.bin", Buffer.from([0, 1, 2]));
    mkdirSync(join(bench.repo, "empty"));
    await serve([{ text: "ok" }]);
    const given = named(realpathSync(bench.repo));
    const ran = await bench.run(["-p", "look at it", "-f", given, "a.txt", "--json"]);
    expect(ran.code).toBe(1);
    const { error } = JSON.parse(ran.stdout) as RunResult;
    expect(error?.message).toBe(`${given} is not sent: ${reason}. Nothing was sent.`);
    expect(server.asked).toEqual([]);
    const packed = await bench.run(["bundle", "-f", given, "a.txt"]);
    expect(packed).toMatchObject({ code: 1, stdout: "" });
    expect(packed.stderr).toContain(`${given} is left out: ${reason}. Nothing was written.`);
  });

  it("[T-23] is sent with a warning when a glob finds only files that cannot be sent", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    bench.write("b.bin", Buffer.from([0, 1, 2]));
    await serve([{ text: "ok" }]);
    const ran = await bench.run(["-p", "look at it", "-f", "*.bin", "a.txt", "--json"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect((JSON.parse(ran.stdout) as RunResult).warnings).toEqual(["*.bin is not sent: binary."]);
  });

  it("[T-23] is refused before anything is sent when its commit message holds a secret", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    await serve([{ text: "ok" }]);
    const token = `ghp_${"a1B2c3D4e".repeat(4)}`;
    const ran = await bench.run([
      "-p",
      "change it please",
      "--apply-mode",
      "commit",
      "--commit-message",
      `Use ${token}`,
    ]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("--commit-message holds a secret");
    expect(ran.stdout + ran.stderr).not.toContain(token);
    expect(server.asked).toEqual([]);
  });

  it("is sent with a warning when it is more than the model can take, and without files that the user left out", async () => {
    bench.withRepository({ "a.txt": "one\n", "b.txt": "two\n" });
    bench.write("huge.txt", "const value = compute(another);\n".repeat(30_000));
    await serve([{ text: "ok" }]);
    const asked = ["-p", "look at it", "-f", "a.txt", "b.txt", "huge.txt", "!b.txt"];
    const ran = await bench.run([...asked, "-m", "gpt-4o", "--json"]);
    const { warnings } = JSON.parse(ran.stdout) as { warnings: string[] };
    expect(warnings).toEqual([
      expect.stringMatching(/^About \d+ tokens are more than the \d+ that suit gpt-4o\. Largest files: huge\.txt/),
    ]);
    for (const warning of warnings) expect(ran.stderr).toContain(warning);
  });
});
