// OpenAI's Responses API as Codex speaks it: one POST a turn, answered as a stream of events.
import type { ServerResponse } from "node:http";
import { type Action, answerFor } from "./play.ts";
import type { Turn, Wire } from "./server.ts";

interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}
interface Body {
  readonly model?: string;
  readonly input?: readonly InputItem[];
  readonly tools?: readonly { readonly name?: string; readonly type?: string }[];
}

let made = 0;
const id = (kind: string) => `${kind}_${(made += 1).toString(36).padStart(8, "0")}`;

function textsOf({ input = [] }: Body): string[] {
  return input
    .filter((item) => item.role === "user")
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : (content ?? []).map(({ text }) => text ?? ""),
    );
}

const patch = (lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

function callOf(action: Action): object {
  const shell = (line: string) => ({
    type: "function_call",
    name: "exec_command",
    arguments: JSON.stringify({ cmd: line }),
  });
  const apply = (lines: readonly string[]) => ({
    type: "custom_tool_call",
    name: "apply_patch",
    input: patch(lines),
  });
  switch (action.do) {
    case "shell":
      return shell(action.line);
    case "write": {
      const lines = action.text.replace(/\n$/, "").split("\n");
      return apply([`*** Add File: ${action.path}`, ...lines.map((line) => `+${line}`)]);
    }
    case "replace":
      return apply([`*** Update File: ${action.path}`, "@@", `-${action.from}`, `+${action.to}`]);
    case "tool":
      return {
        type: "function_call",
        name: action.name,
        arguments: JSON.stringify(action.input),
        ...(action.namespace === undefined ? {} : { namespace: action.namespace }),
      };
  }
}

function itemOf({ part, asked, directive }: Turn): Record<string, unknown> {
  const action = part.actions?.[asked.turn];
  if (action) return { id: id("fc"), call_id: id("call"), status: "completed", ...callOf(action) };
  const text = directive ? answerFor(directive, part) : (part.text ?? "no directive");
  return {
    type: "message",
    id: id("msg"),
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}

export const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

function stream(response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let number = 0;
  return (type: string, fields: object) => {
    const data = JSON.stringify({ type, sequence_number: (number += 1), ...fields });
    response.write(`event: ${type}\ndata: ${data}\n\n`);
  };
}

export const responses: Wire = {
  name: "responses",
  isQuestion: ({ method, url }) => method === "POST" && (url ?? "").split("?")[0]?.endsWith("/responses") === true,
  other({ url }, response) {
    const known = url?.split("?")[0]?.endsWith("/models");
    response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(known ? { object: "list", data: [], models: [] } : { error: {} }));
  },
  read(raw) {
    const body = raw as Body;
    const texts = textsOf(body);
    return {
      texts,
      turn: (body.input ?? []).filter(({ type }) => type?.endsWith("_call_output")).length,
      tools: (body.tools ?? []).map(({ name, type }) => name ?? type ?? ""),
      cwd: texts.join("\n").match(/<cwd>([^<]+)<\/cwd>/)?.[1],
    };
  },
  reply(response, turn) {
    const send = stream(response);
    const body = turn.body as Body;
    const base = { id: id("resp"), object: "response", created_at: 1, model: body.model, output: [] };
    send("response.created", { response: { ...base, status: "in_progress" } });
    if (turn.onlyBeginning) return;
    const item = itemOf(turn);
    const at = { output_index: 0 };
    send("response.output_item.added", { ...at, item: { ...item, status: "in_progress" } });
    if (item["type"] === "message") {
      const [{ text } = { text: "" }] = item["content"] as { text: string }[];
      const part = { ...at, item_id: item["id"], content_index: 0 };
      for (const delta of text.match(/[\s\S]{1,400}/g) ?? []) send("response.output_text.delta", { ...part, delta });
      send("response.output_text.done", { ...part, text });
    }
    send("response.output_item.done", { ...at, item });
    send("response.completed", { response: { ...base, status: "completed", output: [item], usage } });
    response.end();
  },
};
