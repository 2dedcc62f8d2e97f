// Any agent that speaks the Agent Client Protocol over its standard input and output, as the user's own configuration
// names it: `providers.<id>: { "kind": "acp", "program": …, "args": […] }`.
import { basename, isAbsolute, join } from "node:path";
import {
  type AgentProgramRow,
  type ProgramPath,
  type ProviderPort,
  agentProgramRows,
} from "../../core/contract/index.ts";
import { type AgentDeps, type AgentEnvironment, type AgentProgram, createAgentProgram } from "../cli/index.ts";
import { foreignFolders } from "../cli/environment.ts";
import { createConversation } from "./conversation.ts";
import { describeUpdate, updateText } from "./transcript.ts";

export function ownFolders({ home, settings }: AgentEnvironment): ProgramPath[] {
  const name = basename(settings.program ?? "");
  const rows: readonly AgentProgramRow[] = agentProgramRows;
  const known = rows.find(({ acp }) => acp.includes(name))?.ownFiles;
  return (settings.ownFiles ?? known ?? []).map((path) => ({
    path: isAbsolute(path) ? path : join(home, path.replace(/^~\//, "")),
    access: "read",
  }));
}

const foreign = [...agentProgramRows.map(({ folder }) => folder), ".goose", ".cursor", ".qwen"];

export function createAcp(id: string, host: AgentDeps): ProviderPort {
  return createAgentProgram(acpProgram(id, host), host);
}

function acpProgram(id: string, { settings }: AgentDeps): AgentProgram {
  const program = settings?.program ?? id;
  return {
    id,
    about: `${basename(program)}, an agent that speaks the Agent Client Protocol`,
    boundary: "external",
    program,
    install: `see the documentation of ${basename(program)}`,
    models: [],
    variables: [],
    own: ownFolders,
    // Some confine their commands themselves.
    nested: true,
    describeEvent: describeUpdate,
    textOf: updateText,
    command: ({ call, slug, folder, mayEdit, confined, place }) => ({
      args: [],
      // Files that the usual agents are known to read; an agent that reads others is held by the sandbox all the same.
      hidden: foreignFolders(call.workspace.dir ?? folder, foreign, place.home),
      env: { OPENCODE_DISABLE_PROJECT_CONFIG: "1" },
      permissionMode: mayEdit
        ? `asks us: edits in its worktree${confined ? " and commands" : ""} are allowed`
        : "asks us: only reading is allowed",
      conversation: createConversation({
        call,
        cwd: call.workspace.dir ?? folder,
        model: slug,
        mayEdit,
        confined,
        authMethod: place.settings.authMethod,
      }),
    }),
  };
}
