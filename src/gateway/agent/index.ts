// The door to the agent: OpenCode over HTTP, and its events as ours.
export { agentAt, type Agent } from "./opencode.ts";
export { Translator, type Told } from "./translate.ts";
