import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { FailureError } from "../../core/contract/index.ts";
import type { ConversationRef, EngineOpening, SendHooks } from "../../core/contract/transport/index.ts";
import { ApiServer, type Step } from "../../../tests/support/api-server.ts";
import { apiEngine } from "./index.ts";
import type { Pace } from "./retry.ts";

const servers: ApiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function serve(steps: Step[], missing: string[] = []): Promise<ApiServer> {
  const server = await ApiServer.start(steps, missing);
  servers.push(server);
  return server;
}

type ApiPart = NonNullable<EngineOpening["api"]>;

function openingFor(server: ApiServer, api: Partial<ApiPart> = {}): EngineOpening {
  const path = api.provider === "anthropic" ? "" : "/v1";
  return {
    model: "fake-model",
    browser: null,
    api: {
      provider: "openai",
      baseUrl: `${server.origin}${path}`,
      background: false,
      reasoningEffort: null,
      maxOutputTokens: null,
      ...api,
    },
  };
}

/** Waits are recorded, not waited for. */
function quickPace(): Pace & { pauses: number[] } {
  const pauses: number[] = [];
  return {
    pauses,
    now: () => Date.parse("2026-01-01T00:00:00Z"),
    chance: () => 0,
    pause: async (ms) => void pauses.push(ms),
  };
}

function hooks(signal = new AbortController().signal) {
  const refs: ConversationRef[] = [];
  const lines: string[] = [];
  let text = "";
  const made: SendHooks = {
    signal,
    onText: (soFar) => (text = soFar),
    onRef: async (ref) => void refs.push(ref),
    log: (line) => lines.push(line),
  };
  return { made, refs, lines, text: () => text };
}

const key = ["sk", "test", "0123456789abcdef"].join("-");
const engine = (pace: Pace = quickPace()) => apiEngine({ key: () => key, proxyEnv: {}, pace });
const turn = (prompt: string) => ({ prompt, attachments: [] });
const long = "Zeile ✓ mit Umlauten äöü\n".repeat(40);

async function failureOf(work: Promise<unknown>): Promise<FailureError> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(FailureError);
  return error as FailureError;
}

describe.each([
  { provider: "openai" as const },
  { provider: "openai-chat" as const },
  { provider: "anthropic" as const },
])("the API engine over $provider", (api) => {
  it("[T-32] streams an answer byte for byte and counts its tokens", async () => {
    const server = await serve([{ text: long }]);
    const conversation = await engine().open(openingFor(server, api));
    const seen = hooks();
    const answer = await conversation.send(turn("hello"), seen.made);
    await conversation.close();
    expect(answer).toMatchObject({ text: long, complete: true, html: null, captureSource: "api" });
    expect(answer.usage).toMatchObject({ inputTokens: 100, outputTokens: 20, totalTokens: 120 });
    expect(seen.text()).toBe(long);
    const sent = server.asked[0]?.headers;
    expect(api.provider === "anthropic" ? sent?.["x-api-key"] : sent?.authorization).toContain(key);
  });

  it("[T-17] keeps the conversation's context for a follow-up", async () => {
    const server = await serve([{ text: "first answer" }, { text: "second answer" }]);
    const conversation = await engine().open(openingFor(server, api));
    await conversation.send(turn("first question"), hooks().made);
    const second = await conversation.send(turn("second question"), hooks().made);
    expect(second.text).toBe("second answer");
    const sent = JSON.stringify(server.asked[1]?.body);
    for (const part of ["first question", "first answer", "second question"]) expect(sent).toContain(part);
  });

  it("says that an answer is incomplete when the limit was reached or the stream was cut", async () => {
    const reason =
      api.provider === "anthropic" ? "max_tokens" : api.provider === "openai" ? "max_output_tokens" : "length";
    const server = await serve([
      { text: long, incomplete: reason },
      { text: long, drop: "middle" },
    ]);
    const conversation = await engine().open(openingFor(server, api));
    const limited = await conversation.send(turn("a"), hooks().made);
    expect(limited).toMatchObject({ complete: false, incompleteReason: reason, text: long });
    const cut = await conversation.send(turn("b"), hooks().made);
    expect(cut.complete).toBe(false);
    expect(cut.incompleteReason).toMatch(/^stream cut/);
    expect(long.startsWith(cut.text) && cut.text.length > 0).toBe(true);
    expect(server.asked).toHaveLength(2);
  });

  it("tries again after 429, 503 and a lost connection, and keeps to Retry-After", async () => {
    const pace = quickPace();
    const server = await serve([
      { status: 429, headers: { "retry-after": "7" } },
      { status: 503, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:03 GMT" } },
      { drop: "head" },
      { status: 500, headers: { "retry-after-ms": "125" } },
      { text: "at last" },
    ]);
    const conversation = await engine(pace).open(openingFor(server, api));
    const seen = hooks();
    expect((await conversation.send(turn("x"), seen.made)).text).toBe("at last");
    expect(pace.pauses).toEqual([7000, 3000, 2000, 125]);
    expect(seen.lines).toHaveLength(4);
  });

  it("gives up on what waiting cannot mend, with the server's words and without the key", async () => {
    const message = `Incorrect API key provided: ${key}`;
    const server = await serve([
      { status: 401, body: { error: { message, code: "invalid_api_key" } } },
      { status: 429, body: { error: { message: "no credit", code: "insufficient_quota" } } },
      { status: 429, headers: { "retry-after": "7200" } },
    ]);
    const conversation = await engine().open(openingFor(server, api));
    const wrong = await failureOf(conversation.send(turn("x"), hooks().made));
    expect(wrong.failure.code).toBe("provider_unavailable");
    expect(wrong.failure.message).toContain("Incorrect API key provided: ***REDACTED***");
    expect((await failureOf(conversation.send(turn("x"), hooks().made))).failure.remedy).toMatch(/credit/);
    await failureOf(conversation.send(turn("x"), hooks().made));
    expect(server.asked).toHaveLength(3);
  });

  it("stops waiting at once when it is aborted", async () => {
    const server = await serve([{ hang: true }]);
    const conversation = await engine().open(openingFor(server, api));
    const stop = new AbortController();
    const sent = conversation.send(turn("x"), hooks(stop.signal).made);
    setTimeout(() => stop.abort(), 50);
    expect((await failureOf(sent)).failure.code).toBe("interrupted");
  });
});

describe("the API engine", () => {
  it("asks again when a stream is cut before its first word", async () => {
    const server = await serve([{ drop: "start" }, { text: "whole" }]);
    const conversation = await engine().open(openingFor(server));
    expect((await conversation.send(turn("x"), hooks().made)).text).toBe("whole");
  });

  it("[T-32] records the id of a background answer before it waits, then polls for it", async () => {
    const server = await serve([{ text: long, polls: 2 }, { text: "second" }]);
    const conversation = await engine().open(openingFor(server, { background: true }));
    const seen = hooks();
    const refsBeforePoll: number[] = [];
    const answer = await conversation.send(turn("x"), {
      ...seen.made,
      onRef: async (ref) => {
        refsBeforePoll.push(server.seen.filter(({ method }) => method === "GET").length);
        seen.refs.push(ref);
      },
    });
    expect(answer).toMatchObject({ text: long, complete: true });
    expect(refsBeforePoll).toEqual([0]);
    expect(seen.refs[0]).toMatchObject({ responseId: "resp_1", background: true });
    await conversation.send(turn("y"), hooks().made);
    expect(server.asked[1]?.body).toMatchObject({ previous_response_id: "resp_1", store: true });
  });

  it("[T-32] another process fetches that answer without sending again", async () => {
    const server = await serve([{ text: "late", polls: 1 }]);
    const opening = openingFor(server, { background: true });
    const seen = hooks(new AbortController().signal);
    const first = await engine().open(opening);
    const stop = new AbortController();
    await failureOf(
      first.send(turn("x"), {
        ...seen.made,
        signal: stop.signal,
        onRef: async (ref) => {
          seen.refs.push(ref);
          stop.abort();
        },
      }),
    );
    const later = await engine().open(opening);
    const ref = seen.refs[0];
    if (!ref || !later.resume) throw new Error("There is nothing to take up.");
    expect((await later.resume(ref, hooks().made)).text).toBe("late");
    expect(server.asked).toHaveLength(1);
    return undefined;
  });

  it("[T-32] a server that is away for a while does not end the wait for a background answer", async () => {
    const server = await serve([{ text: "still here", polls: 3 }]);
    const conversation = await engine().open(openingFor(server, { background: true }));
    let refused = 0;
    server.refuse = () => server.seen.some(({ method }) => method === "GET") && (refused += 1) <= 12;
    const seen = hooks();
    expect((await conversation.send(turn("x"), seen.made)).text).toBe("still here");
    expect(refused).toBeGreaterThan(12);
    expect(seen.lines.some((line) => line.includes("cannot ask for response resp_1 right now"))).toBe(true);
    expect(server.asked).toHaveLength(1);
  });

  it("tells the server to stop when a background answer is abandoned", async () => {
    const server = await serve([{ text: "never", polls: 1000 }]);
    const conversation = await engine().open(openingFor(server, { background: true }));
    const stop = new AbortController();
    await failureOf(
      conversation.send(turn("x"), { ...hooks().made, signal: stop.signal, onRef: async () => stop.abort() }),
    );
    await conversation.abandon?.(hooks().made);
    expect(server.seen.at(-1)?.path).toBe("/v1/responses/resp_1/cancel");
  });

  it("falls back to chat completions on a compatible server without the Responses API", async () => {
    const server = await serve([{ text: "hi" }], ["/responses"]);
    const conversation = await engine().open(openingFor(server, { provider: "auto" }));
    expect((await conversation.send(turn("x"), hooks().made)).text).toBe("hi");
    expect(server.seen.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/chat/completions"]);
  });

  it("asks without what nobody asked for, once, when a server refuses that", async () => {
    const refused = {
      status: 400,
      body: { error: { message: "unknown parameter: tools", type: "invalid_request_error" } },
    };
    const server = await serve([refused, { text: "hi" }, { text: "there" }]);
    const assumed = ["search", "reasoningEffort", "background"] as const;
    const api = { provider: "auto", search: true, reasoningEffort: "high", background: true, assumed } as const;
    const conversation = await engine().open(openingFor(server, api));
    const { made, lines } = hooks();
    expect((await conversation.send(turn("x"), made)).text).toBe("hi");
    expect((await conversation.send(turn("y"), made)).text).toBe("there");
    const [first, second, third] = server.seen.map(({ body }) => body as Record<string, unknown>);
    expect(first).toMatchObject({ tools: [{ type: "web_search" }], reasoning: { effort: "high" }, background: true });
    for (const body of [second, third]) {
      expect(body).toMatchObject({ stream: true, store: false });
      for (const part of ["tools", "reasoning", "background"]) expect(body).not.toHaveProperty(part);
    }
    expect(lines.filter((line) => line.includes("asking without web search, an effort, work in"))).toHaveLength(1);
  });

  it("leaves nothing out that the user asked for", async () => {
    const server = await serve([{ status: 400, body: { error: { message: "unknown parameter: tools" } } }]);
    const conversation = await engine().open(openingFor(server, { provider: "auto", search: true }));
    expect((await failureOf(conversation.send(turn("x"), hooks().made))).failure.message).toContain(
      "unknown parameter",
    );
    expect(server.seen).toHaveLength(1);
  });

  it("uses chat completions without a search and an effort that nobody asked for", async () => {
    const server = await serve([{ text: "hi" }], ["/responses"]);
    const assumed = ["search", "reasoningEffort"] as const;
    const api = { provider: "auto", search: true, reasoningEffort: "high", assumed } as const;
    const conversation = await engine().open(openingFor(server, api));
    expect((await conversation.send(turn("x"), hooks().made)).text).toBe("hi");
    expect(server.seen.at(-1)?.body).not.toHaveProperty("reasoning_effort");
  });

  it("a failed model is a failure, not an answer", async () => {
    const server = await serve([{ failed: "it broke" }]);
    const conversation = await engine().open(openingFor(server));
    expect((await failureOf(conversation.send(turn("x"), hooks().made))).failure.message).toContain("it broke");
  });

  it("refuses without a key before anything is sent, but not for a server on this machine", async () => {
    const server = await serve([{ text: "hi" }]);
    const keyless = apiEngine({ key: () => undefined, proxyEnv: {}, pace: quickPace() });
    const remote = openingFor(server, { baseUrl: null });
    const refused = await failureOf(keyless.check(remote));
    expect(refused.failure.message).toContain("OPENAI_API_KEY is not set");
    const conversation = await keyless.open(openingFor(server));
    expect((await conversation.send(turn("x"), hooks().made)).text).toBe("hi");
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
  });

  it("does not follow a redirect with the key in hand", async () => {
    const elsewhere = await serve([{ text: "stolen" }]);
    const server = await serve([{ status: 307, headers: { location: `${elsewhere.origin}/v1/responses` } }]);
    const conversation = await engine().open(openingFor(server));
    await failureOf(conversation.send(turn("x"), hooks().made));
    expect(elsewhere.seen).toHaveLength(0);
  });

  it("the scripted server speaks what the official clients read", async () => {
    const server = await serve([{ text: long }, { text: long }, { text: long }]);
    const openai = new OpenAI({ apiKey: key, baseURL: `${server.origin}/v1`, maxRetries: 0 });
    const response = await openai.responses.stream({ model: "m", input: "x" }).finalResponse();
    expect(response.output_text).toBe(long);
    const chunks = await openai.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: "x" }],
      stream: true,
    });
    let said = "";
    for await (const chunk of chunks) said += chunk.choices[0]?.delta.content ?? "";
    expect(said).toBe(long);
    const anthropic = new Anthropic({ apiKey: key, baseURL: server.origin, maxRetries: 0 });
    const message = await anthropic.messages
      .stream({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "x" }] })
      .finalText();
    expect(message).toBe(long);
  });

  it("the scripted server asks for tools as the official clients read it", async () => {
    const calls = [{ name: "read_file", input: { path: "a.txt" } }];
    const server = await serve([{ calls }, { calls }, { calls }]);
    const openai = new OpenAI({ apiKey: key, baseURL: `${server.origin}/v1`, maxRetries: 0 });
    const response = await openai.responses.stream({ model: "m", input: "x" }).finalResponse();
    expect(response.output).toMatchObject([{ type: "function_call", arguments: '{"path":"a.txt"}' }]);
    const messages = [{ role: "user" as const, content: "x" }];
    const completion = await openai.chat.completions.stream({ model: "m", messages }).finalChatCompletion();
    const called = completion.choices[0]?.message.tool_calls?.[0];
    expect(called).toMatchObject({ function: { name: "read_file", arguments: '{"path":"a.txt"}' } });
    const anthropic = new Anthropic({ apiKey: key, baseURL: server.origin, maxRetries: 0 });
    const message = await anthropic.messages.stream({ model: "m", max_tokens: 10, messages }).finalMessage();
    expect(message.content.at(-1)).toMatchObject({ type: "tool_use", input: { path: "a.txt" } });
    expect(message.stop_reason).toBe("tool_use");
  });
});
