// The agent programs that are known by name.
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import type { AgentProgram } from "./program.ts";

export const agentPrograms: readonly AgentProgram[] = [codex, claude, gemini, opencode];
