// Where the logins of ACP agents lie: what the user says, else what is known of the usual ones. Files, not folders: what
// such a program writes beside them is private to the call.
import { basename, isAbsolute, join } from "node:path";
import { type AgentProgramRow, type ProgramPath, agentProgramRows } from "../../core/contract/index.ts";
import type { AgentEnvironment } from "../cli/index.ts";

export function ownFolders({ home, settings }: AgentEnvironment): ProgramPath[] {
  const name = basename(settings.program ?? "");
  const rows: readonly AgentProgramRow[] = agentProgramRows;
  const known = rows.find(({ acp }) => acp.includes(name))?.ownFiles;
  return (settings.ownFiles ?? known ?? []).map((path) => ({
    path: isAbsolute(path) ? path : join(home, path.replace(/^~\//, "")),
    access: "read",
  }));
}
