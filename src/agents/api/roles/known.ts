// The endpoints that need no configuration, with the models that were current when this was written, the default first.
import { apiHomes } from "../../../core/contract/transport/index.ts";

export interface KnownEndpoint {
  readonly id: string;
  readonly about: string;
  readonly form: "responses" | "chat" | "anthropic";
  readonly baseUrl: string;
  readonly keyName: string;
  readonly models: readonly string[];
}

export const knownEndpoints: readonly KnownEndpoint[] = [
  {
    id: "openai-api",
    about: "OpenAI's models over the Responses API",
    form: "responses",
    baseUrl: apiHomes.openai.baseUrl,
    keyName: "OPENAI_API_KEY",
    models: [
      "gpt-6.1-sol",
      "gpt-6.1-terra",
      "gpt-6-astra",
      "gpt-6-sol",
      "gpt-6-luna",
      "gpt-5.6-sol",
      "gpt-5.5",
      "gpt-5.4",
      "gpt-5.4-mini",
    ],
  },
  {
    id: "anthropic-api",
    about: "Anthropic's models over the Messages API",
    form: "anthropic",
    baseUrl: apiHomes.anthropic.baseUrl,
    keyName: "ANTHROPIC_API_KEY",
    models: [
      "claude-opus-5-5",
      "claude-sonnet-5-5",
      "claude-haiku-5-5",
      "claude-fable-5-1",
      "claude-opus-5",
      "claude-sonnet-5",
      "claude-opus-4-6",
      "claude-sonnet-4-6",
      "claude-haiku-4-5",
    ],
  },
];
