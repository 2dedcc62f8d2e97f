// The door to local agent programs.
export type { AgentConversation, AgentEnvironment, AgentProgram, AgentReply, StreamedText } from "./program.ts";
export { type AgentDeps, createAgentProgram } from "./provider.ts";
export { agentPrograms } from "./provider.ts";
