// The models of sessions: the id for users, the id of OpenCode, the id of the model's API.
import { fail } from "../../core/contract/index.ts";

interface ModelRow {
  readonly api: string;
  /** The end of OpenCode's id, where it differs from the API's. */
  readonly opencode?: string;
  readonly wire: "anthropic" | "litellm";
}

export const defaultModel = "claude-sonnet-4.6";

export const models: Readonly<Record<string, ModelRow>> = {
  "claude-sonnet-4.6": { api: "claude-sonnet-4-6", wire: "anthropic" },
  "claude-opus-4.6": { api: "claude-opus-4-6", wire: "anthropic" },
  "gpt-5.2": { api: "gpt-5.2", wire: "litellm" },
  "gemini-3-pro": { api: "gemini-3-pro-preview", wire: "litellm" },
  "gemini-3-flash": { api: "gemini-3-flash-preview", wire: "litellm" },
  "deepseek-v3": { api: "deepseek-chat", opencode: "deepseek-v3", wire: "litellm" },
  "deepseek-r1": { api: "deepseek-reasoner", opencode: "deepseek-r1", wire: "litellm" },
  "grok-4.1": { api: "grok-4.1", wire: "litellm" },
  "grok-4.1-fast": { api: "grok-4.1-fast", wire: "litellm" },
  codestral: { api: "codestral-latest", opencode: "codestral", wire: "litellm" },
};

/** `local/NAME` is any model of the OpenAI-compatible endpoint that the user configured. */
const local = /^local\/([A-Za-z0-9][A-Za-z0-9._:/-]{0,199})$/;

function rowOf(model: string): ModelRow {
  const [, name] = local.exec(model) ?? [];
  const row = name === undefined ? undefined : ({ api: name, wire: "litellm" } as const);
  const known = Object.hasOwn(models, model) ? models[model] : row;
  return (
    known ??
    fail("invalid_input", `There is no model "${model.slice(0, 100)}".`, {
      remedy: `Name one of ${Object.keys(models).join(", ")}, or local/NAME for a model of your own endpoint.`,
    })
  );
}

export function toOpencodeModelId(model: string): string {
  const row = rowOf(model);
  return `${row.wire}/${row.opencode ?? row.api}`;
}

export const toApiModelId = (model: string): string => rowOf(model).api;

export const wireOf = (model: string): ModelRow["wire"] => rowOf(model).wire;
