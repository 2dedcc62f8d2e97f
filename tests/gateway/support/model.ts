// A model on loopback that does as it is told: a user message with `CALL tool {json}` makes it call that tool, a tool's
// result makes it end with the result in its text. It speaks Anthropic's wire and the OpenAI-compatible one.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Content {
  readonly type?: string;
  readonly text?: string;
  readonly content?: unknown;
}
interface Asked {
  readonly model: string;
  readonly system?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
}

export interface ModelServer {
  readonly url: string;
  readonly seen: {
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: Asked;
  }[];
  close(): Promise<void>;
}

function flat(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as Content[]).map((part) => part.text ?? flat(part.content)).join("\n");
}

type Plan = { readonly text: string } | { readonly tool: string; readonly input: string };

function planOf({ messages, tools = [] }: Asked): Plan {
  const last = messages.at(-1);
  const parts = Array.isArray(last?.content) ? (last.content as Content[]) : [];
  const result = last?.role === "tool" ? flat(last.content) : parts.find(({ type }) => type === "tool_result")?.content;
  if (result !== undefined) return { text: `DONE: ${flat(result).slice(0, 400)}` };
  const [, tool, input] = /CALL (\S+) (\{.*\})/s.exec(flat(last?.content)) ?? [];
  const known = tools.map((one) => one.name ?? one.function?.name);
  if (tool && input && known.includes(tool)) return { tool, input };
  return { text: tool ? `NO SUCH TOOL ${tool}` : "hello" };
}

const pieces = (text: string): string[] => text.match(/.{1,7}/gs) ?? [];

function anthropic(response: ServerResponse, id: number, model: string, plan: Plan): void {
  const say = (type: string, more: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const usage = { input_tokens: 10, output_tokens: 1 };
  say("message_start", {
    message: {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
  if ("tool" in plan) {
    say("content_block_start", {
      index: 0,
      content_block: { type: "tool_use", id: `toolu_${id}`, name: plan.tool, input: {} },
    });
    say("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: plan.input } });
  } else {
    say("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
    for (const text of pieces(plan.text)) say("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
  }
  say("content_block_stop", { index: 0 });
  const stop = "tool" in plan ? "tool_use" : "end_turn";
  say("message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 7 } });
  say("message_stop", {});
}

function openai(response: ServerResponse, id: number, model: string, plan: Plan): void {
  const say = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: `cmpl_${id}`, object: "chat.completion.chunk", created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  say({ role: "assistant", content: "" });
  if ("tool" in plan) {
    const call = {
      index: 0,
      id: `call_${id}`,
      type: "function",
      function: { name: plan.tool, arguments: plan.input },
    };
    say({ tool_calls: [call] });
  } else for (const content of pieces(plan.text)) say({ content });
  say({}, "tool" in plan ? "tool_calls" : "stop");
  response.write("data: [DONE]\n\n");
}

export async function serveModel(): Promise<ModelServer> {
  const seen: ModelServer["seen"] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const body = JSON.parse(text || "{}") as Asked;
      seen.push({ path: request.url ?? "", headers: request.headers, body });
      response.writeHead(200, { "content-type": "text/event-stream" });
      const wire = request.url?.startsWith("/v1/messages") ? anthropic : openai;
      wire(response, seen.length, body.model, planOf(body));
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
