// The door to the agent: OpenCode over HTTP, and its events as ours.
export { agentAt, type SandboxAgent } from "./opencode.ts";
export { Translator, type TranslatedEvent } from "./translate.ts";
