// Where the logins of ACP agents lie: what the user says, else what is known of the usual ones. Files, not folders: what
// such a program writes beside them is private to the call.
import { basename, isAbsolute, join } from "node:path";
import type { ProgramPath } from "../../core/contract/index.ts";
import type { AgentEnvironment } from "../cli/index.ts";

const claude = [".claude/.credentials.json", ".claude/settings.json"];
const codex = [".codex/auth.json", ".codex/config.toml"];

const usual: Readonly<Record<string, readonly string[]>> = {
  "claude-code-acp": claude,
  "claude-agent-acp": claude,
  "codex-acp": codex,
  gemini: [".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/settings.json"],
  opencode: [".local/share/opencode/auth.json", ".config/opencode/opencode.json"],
};

export function ownFolders({ home, settings }: AgentEnvironment): ProgramPath[] {
  const name = basename(settings.program ?? "");
  const known = Object.hasOwn(usual, name) ? usual[name] : undefined;
  return (settings.ownFiles ?? known ?? []).map((path) => ({
    path: isAbsolute(path) ? path : join(home, path.replace(/^~\//, "")),
    access: "read",
  }));
}
