// Servers that mean no good: each call ends in an outcome with a reason, and nothing else happens.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  callFor,
  endpoint,
  repository,
  sendTo,
  settingsFor,
  spoken,
  type Spoken,
} from "../../../../tests/support/endpoint.ts";
import type { ProviderCall } from "../../../core/contract/index.ts";
import { removeFolder } from "../../../../tests/support/remove-folder.ts";

type Handler = (response: ServerResponse, asked: number, request: IncomingMessage) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function ask(speaker: Spoken, handler: Handler, more: Partial<ProviderCall> = {}) {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => handler(response, (asked += 1), request));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const provider = endpoint(speaker.id, settingsFor(speaker, `http://127.0.0.1:${port}${speaker.path}`));
  const call = callFor("qa", null, { model: speaker.model, timeoutMs: 8_000, ...more });
  const ended = await sendTo(provider, call).catch((error: unknown) => ({
    outcome: "rejected",
    error: String(error),
    text: "",
  }));
  return { ...ended, asked };
}

const stream = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const event = (response: ServerResponse, data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);

/** A tool use with this input, as each form says it, and the end of the turn. */
function uses(speaker: Spoken, response: ServerResponse, name: string, input: string): void {
  stream(response);
  if (speaker.id === "openai-api") {
    const call = { type: "function_call", call_id: "c", name, arguments: input };
    event(response, {
      type: "response.completed",
      response: { id: "r", status: "completed", output: [call] },
    });
  } else if (speaker.id === "anthropic-api") {
    event(response, {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "c", name, input: {} },
    });
    event(response, {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: input },
    });
    event(response, { type: "message_delta", delta: { stop_reason: "tool_use" } });
    event(response, { type: "message_stop" });
  } else {
    const calls = [{ index: 0, id: "c", function: { name, arguments: input } }];
    event(response, { choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: "tool_calls" }] });
  }
  response.end();
}

describe.each(spoken)("$id meets a server", (speaker) => {
  it.each([
    [
      "that sends one line without end",
      (response: ServerResponse) => {
        stream(response);
        const piece = Buffer.alloc(1 << 20, "x");
        const more = () => {
          while (response.write(piece)) if (response.destroyed) return;
          response.once("drain", more);
        };
        more();
      },
    ],
    ["that speaks no JSON", (response: ServerResponse) => void stream(response).end("data: {nope\n\n")],
    [
      "that speaks JSON of another shape",
      (response: ServerResponse) => void stream(response).end('data: {"type":7,"choices":"x"}\n\n'),
    ],
    [
      "that is a web page",
      (response: ServerResponse) =>
        void response.writeHead(200, { "content-type": "text/html" }).end("<html>login</html>"),
    ],
    ["that says nothing and is content", (response: ServerResponse) => void response.writeHead(204).end()],
    [
      "that compresses an answer without a request for it",
      (response: ServerResponse) =>
        void response
          .writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" })
          .end(Buffer.from("1f8b0800", "hex")),
    ],
    [
      "that refuses at great length",
      (response: ServerResponse) => void response.writeHead(400).end("no ".repeat(1_000_000)),
    ],
    [
      "whose error is not an object",
      (response: ServerResponse) =>
        void response.writeHead(418, { "content-type": "application/json" }).end("[[[null]]]"),
    ],
  ] satisfies [string, Handler][])(
    "%s",
    async (_, handler) => {
      const { outcome, error, text } = await ask(speaker, handler);
      expect(["failed", "rejected", "oversize"]).toContain(outcome);
      expect(error).toBeTruthy();
      expect((error ?? "").length).toBeLessThan(2_000);
      expect(text).toBe("");
    },
    30_000,
  );

  it.each([
    [
      "whose answer in one piece breaks off",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
        response.write('{"id":"r",', () => response.destroy());
      },
      "The answer broke off",
    ],
    [
      "whose packed answer is not packed",
      (response: ServerResponse) =>
        void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("plain"),
      "The answer broke off",
    ],
    [
      "that says in an answer that it failed",
      (response: ServerResponse) =>
        void response
          .writeHead(200, { "content-type": "application/json" })
          .end('{"error":{"message":"the login has expired","type":"authentication_error"}}'),
      "the login has expired",
    ],
  ] satisfies [string, Handler, string][])("%s: the call has failed, with the reason", async (_, handler, why) => {
    const { outcome, error } = await ask(speaker, handler);
    expect({ outcome, error }).toEqual({ outcome: "failed", error: expect.stringContaining(why) });
  });

  it("that keeps talking without saying anything, until the deadline", async () => {
    const chatter: Handler = (response) => {
      stream(response);
      const timer = setInterval(() => response.write(": still here\n\n"), 5);
      response.on("close", () => clearInterval(timer));
    };
    expect((await ask(speaker, chatter, { timeoutMs: 300 })).outcome).toBe("timed_out");
  });

  it("whose model asks for tools in every wrong way, and gets an error for each", async () => {
    const dir = repository({ "a.txt": "one\n" });
    const wrong: readonly (readonly [string, string])[] = [
      ["__proto__", "{}"],
      ["repo_read_file", "null"],
      ["repo_read_file", "[]"],
      ["repo_read_file", '{"path":"../../etc/passwd"}'],
      ["repo_read_file", '{"path":"a.txt","__proto__":{"x":1},"constructor":2}'],
      ["repo_read_file", "{nope"],
      ["repo_search", JSON.stringify({ query: "x".repeat(10_000) })],
    ];
    const { outcome, error } = await ask(
      speaker,
      (response, asked) => uses(speaker, response, ...(wrong[asked - 1] ?? (["none", "{}"] as const))),
      { workspace: { mode: "read_only", dir } },
    );
    removeFolder(dir);
    expect(outcome).toBe("failed");
    expect(error).toContain("gave no answer");
  }, 30_000);

  it("whose model hides a flood in what it wants to read", async () => {
    const dir = repository({ "a.txt": "one\n" });
    const big = JSON.stringify({ path: "x".repeat(900_000) });
    const many = await ask(speaker, (response) => uses(speaker, response, "repo_read_file", big), {
      workspace: { mode: "read_only", dir },
    });
    removeFolder(dir);
    expect(many.outcome).toBe("oversize");
    expect(many.asked).toBeLessThan(6);
  });
});
