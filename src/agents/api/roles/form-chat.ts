// Chat completions as every compatible server speaks them. Many cannot hold a model to a schema while it may use tools,
// so the schema is asked for when there is nothing left to read.
import { readChatStream } from "../chat.ts";
import { strictResponseSchema } from "../../../core/contract/index.ts";
import { type Form, type ModelQuestion, type Past, answerName } from "./form.ts";

function messagesOf(past: Past): unknown[] {
  switch (past.kind) {
    case "assistant":
      return [past.turn];
    case "user":
      return [{ role: "user", content: past.text }];
    case "results":
      return past.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  }
}

function body(question: ModelQuestion): Record<string, unknown> {
  const { model, system, prompt, past, tools, mustAnswer, contract, without } = question;
  const offered = mustAnswer || without.has("tools") ? [] : tools;
  const format = {
    type: "json_schema",
    json_schema: { name: answerName, schema: strictResponseSchema(contract), strict: true },
  };
  return {
    model,
    messages: [{ role: "system", content: system }, { role: "user", content: prompt }, ...past.flatMap(messagesOf)],
    stream: true,
    ...(without.has("stream_options") ? {} : { stream_options: { include_usage: true } }),
    ...(offered.length > 0
      ? { tools: offered.map((tool) => ({ type: "function", function: tool })), tool_choice: "auto" }
      : without.has("format")
        ? {}
        : { response_format: format }),
  };
}

export const chatForm: Form = {
  path: "/chat/completions",
  body,
  readStream: readChatStream,
  read({ text, refusal, uses, end, cut }) {
    if (refusal !== "") return { kind: "refused", why: refusal };
    if (end === "content_filter") return { kind: "refused", why: "a content filter stopped the answer" };
    if (end === "length") return { kind: "incomplete", why: "length" };
    if (end === null) return { kind: "incomplete", why: cut ?? "the server sent no finish reason" };
    return uses.length > 0 ? { kind: "uses", uses } : { kind: "answer", text };
  },
  optional: {
    stream_options: /stream_options/i,
    format: /response_format|json_schema|grammar|structured/i,
    tools: /\btools?\b|tool_choice|function/i,
  },
};
