// Anthropic's Messages API as Claude Code and OpenCode speak it: one POST a turn, answered as a stream of events.
import { type Action, answerFor } from "./play.ts";
import type { Turn, Wire } from "./server.ts";

interface Block {
  readonly type?: string;
  readonly text?: string;
}
interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}
interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly name?: string }[];
}

let made = 0;
const id = (kind: string) => `${kind}_${(made += 1).toString(36).padStart(8, "0")}`;

const blocks = (content: Message["content"] | undefined): readonly Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);

const under = (cwd: string | undefined, path: string) => (path.startsWith("/") ? path : `${cwd ?? ""}/${path}`);

interface ToolUse {
  readonly name: string;
  readonly input: object;
}

/** Agents edit only what they have read, so a replacement takes two turns. */
function openCodeCalls(action: Action, cwd: string | undefined): ToolUse[] {
  switch (action.do) {
    case "shell":
      return [{ name: "bash", input: { command: action.line } }];
    case "write":
      return [{ name: "write", input: { filePath: under(cwd, action.path), content: action.text } }];
    case "replace": {
      const filePath = under(cwd, action.path);
      return [
        { name: "read", input: { filePath } },
        { name: "edit", input: { filePath, oldString: action.from, newString: action.to } },
      ];
    }
    case "tool":
      return [{ name: action.name, input: action.input }];
  }
}

function claudeCalls(action: Action, cwd: string | undefined): ToolUse[] {
  switch (action.do) {
    case "shell":
      return [{ name: "Bash", input: { command: action.line, description: "a scripted command" } }];
    case "write":
      return [{ name: "Write", input: { file_path: under(cwd, action.path), content: action.text } }];
    case "replace": {
      const file_path = under(cwd, action.path);
      return [
        { name: "Read", input: { file_path } },
        { name: "Edit", input: { file_path, old_string: action.from, new_string: action.to } },
      ];
    }
    case "tool":
      return [{ name: action.name, input: action.input }];
  }
}

const shaped = "StructuredOutput";

function contentOf({ part, asked, directive }: Turn): Record<string, unknown>[] {
  // Each program has names of its own for the same tools.
  const callsOf = asked.tools.includes("read") ? openCodeCalls : claudeCalls;
  const calls = (part.actions ?? []).flatMap((action) => callsOf(action, asked.cwd));
  const call = calls[asked.turn];
  if (call) return [{ type: "tool_use", id: id("toolu"), ...call }];
  if (!directive) return [{ type: "text", text: part.text ?? "no directive" }];
  const text = answerFor(directive, part);
  const value = asked.tools.includes(shaped) && part.text === undefined ? objectIn(text) : undefined;
  if (value === undefined || asked.turn > calls.length) return [{ type: "text", text }];
  return [{ type: "tool_use", id: id("toolu"), name: shaped, input: value }];
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const usage = {
  input_tokens: 100,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 10,
  output_tokens: 20,
};

export const messages: Wire = {
  name: "messages",
  isQuestion: ({ method, url }) => method === "POST" && url?.split("?")[0] === "/v1/messages",
  other({ method, url }, response) {
    const counting = url?.startsWith("/v1/messages/count_tokens");
    response.writeHead(counting || method === "HEAD" ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(counting ? { input_tokens: 100 } : { type: "error", error: {} }));
  },
  read(raw) {
    const body = raw as Body;
    const asking = body.messages.filter(({ role }) => role === "user").flatMap(({ content }) => blocks(content));
    const texts = asking.flatMap(({ type, text }) => (type === "text" && text ? [text] : []));
    return {
      texts,
      turn: asking.filter(({ type }) => type === "tool_result").length,
      tools: (body.tools ?? []).map(({ name }) => name ?? ""),
      cwd: JSON.stringify(raw).match(/(?:Primary w|W)orking directory: ([^\s"\\]+)/)?.[1],
    };
  },
  reply(response, turn) {
    const body = turn.body as Body;
    const content = contentOf(turn);
    const stop_reason = content[0]?.["type"] === "tool_use" ? "tool_use" : "end_turn";
    const message = {
      id: id("msg"),
      type: "message",
      role: "assistant",
      model: body.model,
      stop_sequence: null,
      usage,
    };
    if (!body.stream) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ...message, content, stop_reason }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "request-id": id("req") });
    const send = (type: string, fields: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
    send("message_start", { message: { ...message, content: [], stop_reason: null } });
    if (turn.onlyBeginning) return;
    content.forEach((block, index) => {
      const isText = block["type"] === "text";
      const words = isText ? String(block["text"]) : JSON.stringify(block["input"]);
      const empty = isText ? { ...block, text: "" } : { ...block, input: {} };
      send("content_block_start", { index, content_block: empty });
      for (const piece of words.match(/[\s\S]{1,400}/g) ?? []) {
        const delta = isText ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
        send("content_block_delta", { index, delta });
      }
      send("content_block_stop", { index });
    });
    send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } });
    send("message_stop", {});
    response.end();
  },
};
