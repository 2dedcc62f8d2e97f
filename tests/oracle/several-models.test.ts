import { existsSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiServer, type Play } from "../support/api-server.ts";
import { Bench } from "./bench.ts";

let bench: Bench;
let server: ApiServer;
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  bench.dispose();
  await server.stop();
});

async function serve(steps: Play[], missing: string[] = []): Promise<void> {
  server = await ApiServer.start(steps, missing);
  Object.assign(bench.env, {
    OPENAI_API_KEY: "key-for-tests-only",
    OPENAI_BASE_URL: `${server.origin}/v1`,
  });
}

function configure(config: object): void {
  mkdirSync(bench.home, { recursive: true });
  writeFileSync(join(bench.home, "config.json"), JSON.stringify(config));
}

const messages = (at: number) => server.asked[at]?.body["input"] ?? server.asked[at]?.body["messages"];

describe("a conversation over an API goes on", () => {
  it("[T-17] --followup sends the turns of the session before it, and those of the one before that", async () => {
    await serve([{ text: "it is blue" }, { text: "because of light" }, { text: "no more" }]);
    await bench.run(["-p", "which colour is it", "--slug", "first of three", "-m", "gpt-5.2"]);
    const second = await bench.run(["-p", "why is that", "--followup", "first-of-three", "--slug", "second of three"]);
    expect(second, second.stderr).toMatchObject({ code: 0, stdout: "because of light\n" });
    await bench.run(["-p", "what else then", "--followup", "second-of-three"]);
    expect(messages(2)).toEqual([
      { role: "user", content: "which colour is it" },
      { role: "assistant", content: "it is blue" },
      { role: "user", content: "why is that" },
      { role: "assistant", content: "because of light" },
      { role: "user", content: "what else then" },
    ]);
    expect(server.asked.map(({ body }) => body["model"])).toEqual(["gpt-5.2", "gpt-5.2", "gpt-5.2"]);
  });

  it("a session without an answer cannot be continued, and nothing is sent", async () => {
    await serve([{ status: 401, body: { error: { message: "no" } } }]);
    await bench.run(["-p", "which colour is it", "--slug", "first of three"]);
    const next = await bench.run(["-p", "why is that", "--followup", "first-of-three"]);
    expect(next.code).toBe(1);
    expect(next.stderr).toContain("has no answer that a conversation could go on from");
    expect(server.asked).toHaveLength(1);
  });
});

describe("several models in one run", () => {
  const byModel = (answers: Readonly<Record<string, Play>>): Play[] =>
    Array.from({ length: 4 }, (): Play => (seen) => {
      const step = answers[String(seen.body["model"])];
      return step === undefined || typeof step === "function" ? { text: "?" } : step;
    });

  it("each has a session, an answer and an output of its own", async () => {
    await serve(byModel({ "gpt-a": { text: "from a" }, "gpt-b": { text: "from b" } }));
    const out = join(bench.dir, "answer.md");
    const ran = await bench.run(["-p", "ask both of them", "--models", "gpt-a,gpt-b", "--write-output", out]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "== gpt-a\nfrom a\n\n== gpt-b\nfrom b\n\n" });
    expect(readFileSync(join(bench.dir, "answer.gpt-a.md"), "utf8")).toBe("from a");
    expect(readFileSync(join(bench.dir, "answer.gpt-b.md"), "utf8")).toBe("from b");
    expect(existsSync(out)).toBe(false);
    expect(bench.sessionIds).toHaveLength(2);
  });

  it("part of a success is reported as one, with the outcome of the other", async () => {
    await serve(
      byModel({
        "gpt-a": { text: "from a" },
        "gpt-b": { status: 400, body: { error: { message: "not today" } } },
      }),
    );
    const ran = await bench.run(["-p", "ask both of them", "--models", "gpt-a,gpt-b", "--json"]);
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: "partial",
      models: [
        { model: "gpt-a", status: "success" },
        {
          model: "gpt-b",
          status: "error",
          error: { message: expect.stringContaining("not today") as string },
        },
      ],
    });
  });

  it("does not put several patches into one tree", async () => {
    await serve([]);
    const ran = await bench.run(["-p", "ask both of them", "--models", "a,b", "--apply-mode", "commit"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("takes the diff of one model");
    expect(bench.sessionIds).toEqual([]);
  });
});

describe("models by a name of the user's own", () => {
  it("go to the address, in the form and with the key that the configuration names", async () => {
    await serve([{ text: "local" }, { text: "azure" }, { text: "gemini" }]);
    configure({
      models: {
        mine: { model: "qwen", provider: "openai-chat", baseUrl: `${server.origin}/v1`, keyEnv: "MY_KEY" },
        work: { model: "deployed", provider: "azure", baseUrl: `${server.origin}/v1` },
      },
    });
    const env = {
      MY_KEY: "mine-12345678",
      AZURE_OPENAI_API_KEY: ["azure", "12345678"].join("-"),
      GEMINI_API_KEY: ["gem", "12345678"].join("-"),
    };
    for (const [model, said] of [
      ["mine", "local"],
      ["work", "azure"],
    ])
      expect((await bench.run(["-p", "x", "-m", model ?? ""], { env })).stdout).toBe(`${said}\n`);
    const gemini = { ...env, GEMINI_BASE_URL: `${server.origin}/v1` };
    expect((await bench.run(["-p", "x", "-m", "gemini-3-pro"], { env: gemini })).stdout).toBe("gemini\n");
    expect(server.asked.map(({ path, body }) => [path, body["model"]])).toEqual([
      ["/v1/chat/completions", "qwen"],
      ["/v1/responses", "deployed"],
      ["/v1/chat/completions", "gemini-3-pro"],
    ]);
    expect(server.asked[0]?.headers.authorization).toBe("Bearer mine-12345678");
    expect(server.asked[1]?.headers["api-key"]).toBe(["azure", "12345678"].join("-"));
    expect(server.asked[1]?.headers.authorization).toBeUndefined();
    expect(server.asked[2]?.headers.authorization).toBe("Bearer gem-12345678");
  });

  it("are not for a project to choose", async () => {
    await serve([]);
    bench.withRepository({ ".oracle/config.json": '{"model":"mine"}' });
    configure({ models: { mine: { model: "qwen", baseUrl: `${server.origin}/v1` } } });
    const ran = await bench.run(["-p", "x"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("would send data to another provider");
    expect(server.seen).toEqual([]);
  });

  it("a gateway in OpenAI's form is spoken to in it, also for a model of another maker", async () => {
    await serve([{ text: "through" }]);
    const ran = await bench.run(["-p", "x", "-m", "claude-opus-5", "--base-url", `${server.origin}/v1`]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "through\n" });
    expect(server.asked[0]?.path).toBe("/v1/responses");
  });

  it("a missing endpoint whose page has the word model in it is no unknown model", async () => {
    const noEndpoint = { status: 404, body: "no such path on this model server" };
    await serve([noEndpoint, { text: "in the older form" }]);
    const ran = await bench.run(["-p", "x", "--base-url", `${server.origin}/v1`]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "in the older form\n" });
  });
});

describe("oracle models", () => {
  it("says which model can be used, by asking the server for its list and nothing else", async () => {
    await serve([]);
    server.models = ["gpt-a", "models/gpt-b"];
    const good = await bench.run(["models", "gpt-b", "--json"]);
    expect(good.code, good.stderr).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ models: [{ name: "gpt-b", state: "ready" }] });
    const bad = await bench.run(["models", "gpt-c", "--json"]);
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.stdout)).toMatchObject({ models: [{ name: "gpt-c", state: "unready" }] });
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/models", "GET /v1/models"]);
  });

  it("lists the user's own models, the ones with a key, and the pages, without asking anybody", async () => {
    await serve([]);
    configure({ models: { mine: { model: "qwen", baseUrl: `${server.origin}/v1`, keyEnv: "NOT_SET" } } });
    const ran = await bench.run(["models"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^untested +gpt-5\.5 /m);
    expect(ran.stdout).toMatch(/^unready +mine \(qwen\).*NOT_SET is not set/m);
    expect(ran.stdout).toMatch(/^unready +chatgpt in a page .*oracle browser login chatgpt/m);
    expect(server.seen).toEqual([]);
  });
});
