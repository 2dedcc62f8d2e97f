// The door to local agent programs.
export type {
  AgentCommand,
  AgentConversation,
  AgentOutput,
  AgentPlace,
  AgentProgram,
  AgentReply,
  AskedCommand,
} from "./program.ts";
export { type AgentHost, createAgentProgram } from "./provider.ts";
export { agentPrograms } from "./programs.ts";
