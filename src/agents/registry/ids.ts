// The names of the providers that need no configuration, apart from their adapters: naming one loads none.
export const agentIds = ["codex-cli", "claude-code", "gemini-cli", "opencode"] as const;
export const endpointIds = ["openai-api", "anthropic-api"] as const;
export const webIds = ["chatgpt-web", "copilot-web", "gemini-web"] as const;
export const sandboxIds = ["opencode-sandbox"] as const;
