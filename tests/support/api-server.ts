// A loopback server that speaks the three wire formats of the API engine, from a list of scripted steps.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Step {
  readonly text?: string;
  /** An HTTP refusal instead of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Cuts the connection: before the answer's head, before its first word, or in the middle of it. */
  readonly drop?: "head" | "start" | "middle";
  readonly incomplete?: string;
  readonly failed?: string;
  /** Answers nothing, ever. */
  readonly hang?: boolean;
  /** How often a background answer is still at work when asked for. */
  readonly polls?: number;
  readonly delayMs?: number;
  /** Tools the model wants used. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
  /** The model says no, in the way of each form. */
  readonly refusal?: string;
  /** Says half of the text, and then nothing more. */
  readonly stall?: boolean;
  /** Tells each item of the answer as it is done, and none of them at the end. */
  readonly itemsOnly?: boolean;
  /** Hangs up before the question has been read. */
  readonly unread?: boolean;
}

/** A step that depends on what was asked. */
export type Play = Step | ((seen: Seen) => Step);

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

const usage = { input: 100, output: 20, reasoning: 5 };

export class ApiServer {
  readonly seen: Seen[] = [];
  readonly steps: Play[];
  /** What `GET …/models` lists; without it there is no such list. */
  models: readonly string[] | undefined;
  /** While it says so, everything is answered with 503. */
  refuse: () => boolean = () => false;
  readonly #server: Server;
  readonly #missing: readonly string[];
  readonly #background = new Map<string, { step: Step; polls: number; cancelled: boolean }>();
  #serial = 0;

  private constructor(steps: Play[], missing: readonly string[]) {
    this.steps = steps;
    this.#missing = missing;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(steps: Play[], missing: readonly string[] = []): Promise<ApiServer> {
    const server = new ApiServer(steps, missing);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The requests that asked a model for something. */
  get asked(): Seen[] {
    return this.seen.filter(({ method, path }) => method === "POST" && !path.endsWith("/cancel"));
  }

  /** Connections that are open right now. */
  async connections(): Promise<number> {
    return await new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [first] = this.steps;
    if (typeof first === "object" && first.unread === true) {
      this.steps.shift();
      return void request.socket.destroy();
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    const path = (request.url ?? "").split("?")[0] ?? "";
    const seen = { method: request.method ?? "", path, headers: request.headers, body };
    this.seen.push(seen);
    if (this.refuse()) return json(response, 503, { error: { message: "away" } });
    if (this.#missing.some((end) => path.endsWith(end)))
      return json(response, 404, { error: { message: "no such endpoint" } });
    if (path.endsWith("/models") && this.models !== undefined)
      return json(response, 200, {
        object: "list",
        data: this.models.map((id) => ({ id, object: "model" })),
      });
    if (request.method === "GET") return this.#poll(path, response);
    if (path.endsWith("/cancel")) return this.#cancel(path, response);
    const next = this.steps.shift() ?? { text: "out of script" };
    const step = typeof next === "function" ? next(seen) : next;
    if (step.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, step.delayMs));
    if (step.hang === true) return undefined;
    if (step.drop === "head") return void response.destroy();
    if (step.status !== undefined)
      return json(
        response,
        step.status,
        step.body ?? { error: { message: "scripted", code: "scripted" } },
        step.headers,
      );
    if (path.endsWith("/responses")) return this.#responses(body, step, response);
    if (path.endsWith("/chat/completions")) return chat(body, step, response);
    if (path.endsWith("/v1/messages")) return anthropic(body, step, response);
    return json(response, 404, { error: { message: "no such endpoint" } });
  }

  #responses(body: Record<string, unknown>, step: Step, response: ServerResponse): void {
    const id = `resp_${(this.#serial += 1)}`;
    if (body["background"] === true) {
      this.#background.set(id, { step, polls: step.polls ?? 0, cancelled: false });
      return json(response, 200, {
        id,
        object: "response",
        model: body["model"],
        status: "queued",
        output: [],
      });
    }
    const event = events(response);
    const base = { id, object: "response", model: body["model"], status: "in_progress", output: [] };
    event("response.created", { response: base });
    if (step.drop === "start") return cut(response);
    const text = step.text ?? "";
    const item = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] };
    const place = { item_id: item.id, output_index: 0, content_index: 0 };
    const part = { type: "output_text", text: "", annotations: [] };
    event("response.output_item.added", { output_index: 0, item });
    event("response.content_part.added", { ...place, part });
    for (const delta of pieces(text, step)) event("response.output_text.delta", { ...place, delta, logprobs: [] });
    if (step.drop === "middle") return cut(response);
    if (step.stall === true) return undefined;
    event("response.output_text.done", { ...place, text, logprobs: [] });
    event("response.content_part.done", { ...place, part: { ...part, text } });
    const done = { ...item, status: "completed", content: [{ ...part, text }] };
    event("response.output_item.done", { output_index: 0, item: done });
    for (const [at, call] of callItems(step).entries()) {
      event("response.output_item.added", {
        output_index: at + 1,
        item: { ...call, status: "in_progress", arguments: "" },
      });
      event("response.output_item.done", { output_index: at + 1, item: call });
    }
    const whole = finalResponse(base, step);
    const final = step.itemsOnly === true ? { ...whole, output: [] } : whole;
    event(`response.${String(final["status"])}`, { response: final });
    return void response.end();
  }

  #poll(path: string, response: ServerResponse): void {
    const id = path.split("/").at(-1) ?? "";
    const kept = this.#background.get(id);
    if (!kept) return json(response, 404, { error: { message: "no such response" } });
    const base = { id, object: "response", model: "fake", status: "in_progress", output: [] };
    if (kept.cancelled) return json(response, 200, { ...base, status: "cancelled" });
    if (kept.polls > 0) {
      kept.polls -= 1;
      return json(response, 200, base);
    }
    return json(response, 200, finalResponse(base, kept.step));
  }

  #cancel(path: string, response: ServerResponse): void {
    const id = path.split("/").at(-2) ?? "";
    const kept = this.#background.get(id);
    if (kept) kept.cancelled = true;
    return json(response, kept ? 200 : 404, { id, status: "cancelled", output: [] });
  }
}

function finalResponse(base: Record<string, unknown>, step: Step): Record<string, unknown> {
  if (step.failed !== undefined)
    return { ...base, status: "failed", error: { code: "server_error", message: step.failed } };
  return {
    ...base,
    status: step.incomplete === undefined ? "completed" : "incomplete",
    incomplete_details: step.incomplete === undefined ? null : { reason: step.incomplete },
    output: [...(step.text === undefined && step.refusal === undefined ? [] : [messageItem(step)]), ...callItems(step)],
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.output,
    },
  };
}

const callItems = ({ calls = [] }: Step) =>
  calls.map(({ name, input }, index) => ({
    type: "function_call",
    id: `fc_${index}`,
    call_id: `call_${index}`,
    status: "completed",
    name,
    arguments: JSON.stringify(input),
  }));

const messageItem = ({ text, refusal }: Step) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [
    refusal === undefined ? { type: "output_text", text: text ?? "", annotations: [] } : { type: "refusal", refusal },
  ],
});

function chat(body: Record<string, unknown>, step: Step, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choices: unknown[], more = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: body["model"], choices, ...more })}\n\n`,
    );
  if (step.drop === "start") return cut(response);
  send([{ index: 0, delta: { role: "assistant" }, finish_reason: null }]);
  for (const content of pieces(step.text ?? "", step)) send([{ index: 0, delta: { content }, finish_reason: null }]);
  if (step.drop === "middle") return cut(response);
  if (step.stall === true) return undefined;
  if (step.refusal !== undefined) send([{ index: 0, delta: { refusal: step.refusal }, finish_reason: null }]);
  for (const [index, call] of (step.calls ?? []).entries()) {
    const input = JSON.stringify(call.input);
    const piece = (part: object) =>
      send([{ index: 0, delta: { tool_calls: [{ index, ...part }] }, finish_reason: null }]);
    piece({ id: `call_${index}`, type: "function", function: { name: call.name, arguments: "" } });
    for (const part of pieces(input, {})) piece({ function: { arguments: part } });
  }
  const end = step.calls === undefined ? "stop" : "tool_calls";
  send([{ index: 0, delta: {}, finish_reason: step.incomplete ?? end }]);
  send([], {
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
    },
  });
  return void response.end("data: [DONE]\n\n");
}

function anthropic(body: Record<string, unknown>, step: Step, response: ServerResponse): void {
  const event = events(response);
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: body["model"],
    content: [],
    stop_reason: null,
  };
  event("message_start", {
    message: {
      ...message,
      usage: { input_tokens: usage.input - 10, cache_read_input_tokens: 10, output_tokens: 1 },
    },
  });
  event("ping", {});
  if (step.drop === "start") return cut(response);
  event("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  for (const text of pieces(step.text ?? step.refusal ?? "", step))
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
  if (step.drop === "middle") return cut(response);
  if (step.stall === true) return undefined;
  event("content_block_stop", { index: 0 });
  for (const [at, call] of (step.calls ?? []).entries()) {
    const index = at + 1;
    const block = { type: "tool_use", id: `toolu_${at}`, name: call.name, input: {} };
    event("content_block_start", { index, content_block: block });
    for (const part of pieces(JSON.stringify(call.input), {}))
      event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: part } });
    event("content_block_stop", { index });
  }
  const end = step.refusal === undefined ? (step.calls === undefined ? "end_turn" : "tool_use") : "refusal";
  event("message_delta", {
    delta: { stop_reason: step.incomplete ?? end, stop_sequence: null },
    usage: { output_tokens: usage.output },
  });
  event("message_stop", {});
  return void response.end();
}

/** In pieces that do not respect words; all but the end of it when the connection will be cut. */
function pieces(text: string, { drop, stall }: Step): string[] {
  const all = text.match(/[\s\S]{1,37}/g) ?? [];
  return drop === "middle" || stall === true ? all.slice(0, Math.max(1, Math.floor(all.length / 2))) : all;
}

function events(response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let sequence = 0;
  return (type: string, fields: Record<string, unknown>) =>
    response.write(
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: (sequence += 1), ...fields })}\n\n`,
    );
}

/** Lets what was written reach the other side first. */
function cut(response: ServerResponse): void {
  setTimeout(() => response.socket?.destroy(), 20);
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
