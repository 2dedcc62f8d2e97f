// The door to the agent: OpenCode over HTTP, and its events as ours.
export { agentAt, probeDelays, type Agent } from "./opencode.ts";
export { Translator, type Told } from "./translate.ts";
