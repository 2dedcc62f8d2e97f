// The door to local agent programs.
export type { AgentConversation, AgentPlace, AgentProgram, AgentReply, SaidWords } from "./program.ts";
export { type AgentHost, createAgentProgram } from "./provider.ts";
export { agentPrograms } from "./programs.ts";
