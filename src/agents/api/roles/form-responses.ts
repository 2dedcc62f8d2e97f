// OpenAI's Responses API: function tools, a strict output format, nothing left at the provider.
import { readResponsesStream } from "../stream-responses.ts";
import { strictResponseSchema } from "../../../core/contract/index.ts";
import { type Form, type Past, type ModelQuestion, answerName } from "./form.ts";

function inputOf(past: Past): unknown[] {
  switch (past.kind) {
    case "assistant":
      return Array.isArray(past.turn) ? past.turn : [];
    case "user":
      return [{ role: "user", content: past.text }];
    case "results":
      return past.results.map(({ id, text }) => ({
        type: "function_call_output",
        call_id: id,
        output: text,
      }));
  }
}

function body(question: ModelQuestion): Record<string, unknown> {
  const { model, system, prompt, past, tools, mustAnswer, contract, without } = question;
  const offered = without.has("tools") ? [] : tools;
  return {
    model,
    instructions: system,
    input: [{ role: "user", content: prompt }, ...past.flatMap(inputOf)],
    store: false,
    stream: true,
    // Thoughts come sealed, so that they can be handed back without being kept there.
    ...(without.has("include") ? {} : { include: ["reasoning.encrypted_content"] }),
    ...(without.has("format")
      ? {}
      : {
          text: {
            format: {
              type: "json_schema",
              name: answerName,
              schema: strictResponseSchema(contract),
              strict: true,
            },
          },
        }),
    ...(offered.length === 0
      ? {}
      : {
          tools: offered.map((tool) => ({ type: "function", ...tool, strict: false })),
          tool_choice: mustAnswer ? "none" : "auto",
        }),
  };
}

export const responsesForm: Form = {
  path: "/responses",
  body,
  readStream: readResponsesStream,
  read({ text, refusal, uses, end }) {
    if (refusal !== "") return { kind: "refused", why: refusal };
    if (end === "content_filter") return { kind: "refused", why: "a content filter stopped the answer" };
    if (end !== "completed") return { kind: "incomplete", why: end ?? "the server sent no stop reason" };
    return uses.length > 0 ? { kind: "uses", uses } : { kind: "answer", text };
  },
  optional: {
    include: /\binclude\b|encrypted/i,
    format: /text\.format|json_schema|response_format|structured/i,
    tools: /\btools?\b|function/i,
  },
};
