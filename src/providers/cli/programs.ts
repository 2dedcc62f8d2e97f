// The agent programs that are known by name.
import type { AgentProgram } from "./program.ts";

export const agentPrograms: readonly AgentProgram[] = [];
