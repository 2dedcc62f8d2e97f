// Anthropic's Messages API: an output format where the server knows one, else the answer as a tool of its own.
import { responseJsonSchema, strictResponseSchema } from "../../../core/contract/index.ts";
import { defaultMaxTokens, readAnthropicStream } from "../anthropic.ts";
import { type Form, type ModelQuestion, type OfferedTool, type Past, answerName } from "./form.ts";

function messageOf(past: Past): unknown {
  switch (past.kind) {
    case "assistant":
      return past.turn;
    case "user":
      return { role: "user", content: past.text };
    case "results":
      return {
        role: "user",
        content: past.results.map(({ id, text, ok }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: text,
          ...(ok ? {} : { is_error: true }),
        })),
      };
  }
}

/** Holds the text to the schema beside tools that may be used freely; current models refuse to be forced to a tool. */
function held({ tools, mustAnswer, contract }: ModelQuestion): Record<string, unknown> {
  const schema = strictResponseSchema(contract, "absent");
  return {
    output_config: { format: { type: "json_schema", schema } },
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(toolOf), ...(mustAnswer ? { tool_choice: { type: "none" } } : {}) }),
  };
}

/** For models and servers that know no output format: the answer is itself a tool. */
function asTool({ tools, mustAnswer, contract, without }: ModelQuestion): Record<string, unknown> {
  const description = "Gives your whole answer. Use it once, when you are done.";
  const answer = { name: answerName, description, parameters: responseJsonSchema(contract) };
  const choice = mustAnswer ? { type: "tool", name: answerName } : { type: "any" };
  return {
    tools: [...tools, answer].map(toolOf),
    ...(without.has("tool_choice") ? {} : { tool_choice: choice }),
  };
}

const toolOf = ({ name, description, parameters }: OfferedTool) => ({
  name,
  description,
  input_schema: parameters,
});

function body(question: ModelQuestion): Record<string, unknown> {
  const { model, system, prompt, past, without } = question;
  // The directive is sent again with every turn: kept at the server for minutes, it is paid for once.
  const kept = without.has("cache") ? {} : { cache_control: { type: "ephemeral" } };
  return {
    model,
    max_tokens: defaultMaxTokens,
    system,
    messages: [{ role: "user", content: [{ type: "text", text: prompt, ...kept }] }, ...past.map(messageOf)],
    stream: true,
    ...(without.has("format") ? asTool(question) : held(question)),
  };
}

const finished = new Set(["end_turn", "stop_sequence", "tool_use"]);

export const anthropicForm: Form = {
  path: "/v1/messages",
  body,
  readStream: readAnthropicStream,
  read({ text, uses, end, cut }) {
    if (end === "refusal") return { kind: "refused", why: text === "" ? "it gave no reason" : text };
    if (end === null || !finished.has(end))
      return { kind: "incomplete", why: end ?? cut ?? "the server sent no stop reason" };
    const answer = uses.find(({ name }) => name === answerName);
    if (answer) return { kind: "answer", text: answer.input };
    return uses.length > 0 ? { kind: "uses", uses } : { kind: "answer", text };
  },
  optional: {
    cache: /cache_control/i,
    format: /output_config|output_format|json_schema|schema|extra inputs/i,
    tool_choice: /tool_choice|forced|thinking/i,
  },
};
