// Error responses and malformed responses: the server's own message is reported.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { FailureError } from "../../core/contract/index.ts";
import type { EngineOpening, SendHooks } from "../../core/contract/transport/index.ts";
import { apiEngine } from "./index.ts";

const key = ["sk", "test", "0123456789abcdef"].join("-");
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Provider = NonNullable<EngineOpening["api"]>["provider"];

/** One question to a server that answers like this; also how often it was asked. */
async function ask(provider: Provider, reply: (response: ServerResponse) => void) {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      asked += 1;
      reply(response);
    });
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const engine = apiEngine({
    key: () => key,
    proxyEnv: {},
    pace: { now: () => 0, chance: () => 0, pause: async () => undefined },
  });
  const api = { provider, baseUrl: `http://127.0.0.1:${port}`, background: false };
  const conversation = await engine.open({
    model: "m",
    browser: null,
    api: { ...api, reasoningEffort: null, maxOutputTokens: null },
  });
  const hooks: SendHooks = {
    signal: new AbortController().signal,
    onText: () => undefined,
    onRef: async () => undefined,
    log: () => undefined,
  };
  const outcome = await conversation.send({ prompt: "hello", attachments: [] }, hooks).catch((e: unknown) => e);
  return { outcome, asked: () => asked };
}

async function failure(provider: Provider, reply: (response: ServerResponse) => void) {
  const { outcome, asked } = await ask(provider, reply);
  expect(outcome).toBeInstanceOf(FailureError);
  return { ...(outcome as FailureError).failure, asked: asked() };
}

const json = (body: string | Buffer, headers: Record<string, string> = {}) => {
  return (response: ServerResponse) =>
    void response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);
};
const events = (...data: unknown[]) => {
  return (response: ServerResponse) =>
    void response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end(data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""));
};

const quota = { message: `The quota of ${key} is used up`, type: "insufficient_quota" };
const said = {
  openai: {
    id: "r",
    status: "completed",
    output: [{ type: "message", content: [{ type: "output_text", text: "yes" }] }],
  },
  "openai-chat": {
    choices: [{ message: { content: [{ type: "text", text: "yes" }] }, finish_reason: "stop" }],
  },
  anthropic: {
    type: "message",
    content: [{ type: "text", text: "yes" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 3, output_tokens: 1 },
  },
} as const;

describe.each(["openai", "openai-chat", "anthropic"] as const)("a server of %s", (provider) => {
  it.each([
    ["in one piece", json(JSON.stringify({ error: quota }))],
    ["in its stream", events({ error: quota })],
    ["in its stream, by name", events({ type: "error", error: quota })],
  ])("that says in an answer that it failed, %s: its message is reported, without the key", async (_how, reply) => {
    const { code, message, remedy } = await failure(provider, reply);
    expect({ code, message, remedy }).toEqual({
      code: "provider_unavailable",
      message: "The model ended with an error (insufficient_quota): The quota of ***REDACTED*** is used up",
      remedy: "The account has no credit left for this model.",
    });
  });

  it.each([
    ["a text", { error: "overloaded" }, "overloaded"],
    ["a detail", { detail: "Not authenticated" }, "Not authenticated"],
  ])("that fails with %s", async (_what, body, words) => {
    expect((await failure(provider, json(JSON.stringify(body)))).message).toContain(words);
  });

  it.each([
    [
      "whose answer breaks off",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
        response.write('{"id":"r","choi', () => response.destroy());
      },
    ],
    [
      "whose packed answer breaks off",
      json(gzipSync("x".repeat(9_000)).subarray(0, 30), { "content-encoding": "gzip" }),
    ],
    ["whose packed answer is not packed", json("plain", { "content-encoding": "gzip" })],
  ])("%s has failed for now", async (_how, reply) => {
    const { code, message, remedy } = await failure(provider, reply);
    expect(code).toBe("provider_unavailable");
    expect(message).toContain("The answer broke off");
    expect(remedy).toContain("Try again");
  });

  it("that is a web page is reported as one, and asked once", async () => {
    const page = (response: ServerResponse) =>
      void response.writeHead(200, { "content-type": "text/HTML; charset=utf-8" }).end("<html>login");
    const { message, asked } = await failure(provider, page);
    expect(message).toContain("web page");
    expect(asked).toBe(1);
  });

  it("that answers in one piece, and in parts, is read", async () => {
    const body = JSON.stringify(said[provider]);
    const { outcome } = await ask(provider, json(body, { "content-type": "Application/JSON; charset=UTF-8" }));
    expect(outcome).toMatchObject({ text: "yes", complete: true });
  });

  it("that asks for a pause of days is not waited for, and the pause is reported", async () => {
    const busy = (wait: string) => (response: ServerResponse) =>
      void response.writeHead(429, { "retry-after": wait }).end("busy");
    const days = await failure(provider, busy("864000"));
    expect(days).toMatchObject({ asked: 1, remedy: "Try again in 10 days; the server asks for it." });
    expect((await failure(provider, busy("9".repeat(30)))).remedy).toContain("in more than a year");
  });
});
