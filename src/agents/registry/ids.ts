// The names of the providers that need no configuration, apart from their adapters: naming one loads none.
import { agentProgramRows } from "../../core/contract/index.ts";

export const agentIds = agentProgramRows.map(({ id }) => id);
export const endpointIds = ["openai-api", "anthropic-api"] as const;
export const webIds = ["chatgpt-web", "copilot-web", "gemini-web"] as const;
export const sandboxIds = ["opencode-sandbox"] as const;
