// The supported hosts: the location of each configuration, and the entry of a server in it.
import { join } from "node:path";
import type { HostScope } from "../../core/contract/setup/index.ts";
import { setJsonEntry } from "./json-edit.ts";
import { setTomlTable } from "./toml-edit.ts";

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** The parts of the environment that decide where a host stores its files. */
export interface HostFolders {
  readonly home: string;
  readonly repo: string;
  readonly platform: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface Host {
  readonly name: string;
  readonly title: string;
  file(scope: HostScope, folders: HostFolders): string;
  /** Other names of the same file; one that exists is used instead. */
  also?(scope: HostScope, folders: HostFolders): readonly string[];
  set(text: string, file: string, launch: Launch): string;
  /** The next step of the user. */
  readonly afterwards: string;
}

const serverName = "thehood";

const json =
  (key: string, entry: (launch: Launch) => object): Host["set"] =>
  (text, file, launch) =>
    setJsonEntry(text, file, [key, serverName], entry(launch));

const plain = ({ command, args }: Launch) => ({ command, args });
const typed = ({ command, args }: Launch) => ({ type: "stdio", command, args });

/** Editors start a server in any folder and have a variable for the open folder. */
const inEditor = ({ command, args }: Launch): Launch => ({
  command,
  // oxlint-disable-next-line no-template-curly-in-string -- a variable of the editor
  args: [...args, "--repo", "${workspaceFolder}"],
});

const codeFolder = ({ home, platform, variables }: HostFolders): string =>
  platform === "darwin"
    ? join(home, "Library/Application Support/Code/User")
    : platform === "win32"
      ? join(variables["APPDATA"] ?? join(home, "AppData/Roaming"), "Code/User")
      : join(variables["XDG_CONFIG_HOME"] || join(home, ".config"), "Code/User");

const openCodeFolder = (scope: HostScope, { home, repo, variables }: HostFolders): string =>
  scope === "project" ? repo : join(variables["XDG_CONFIG_HOME"] || join(home, ".config"), "opencode");

export const hosts: readonly Host[] = [
  {
    name: "codex",
    title: "Codex",
    file: (scope, { home, repo, variables }) =>
      scope === "project"
        ? join(repo, ".codex/config.toml")
        : join(variables["CODEX_HOME"] || join(home, ".codex"), "config.toml"),
    set: (text, file, { command, args }) => setTomlTable(text, file, ["mcp_servers", serverName], { command, args }),
    afterwards: "Codex reads it at its next start; a project's file only in a folder it trusts.",
  },
  {
    name: "claude",
    title: "Claude Code",
    file: (scope, { home, repo, variables }) =>
      scope === "project" ? join(repo, ".mcp.json") : join(variables["CLAUDE_CONFIG_DIR"] || home, ".claude.json"),
    set: json("mcpServers", typed),
    afterwards: "Start claude and open /mcp; it asks once about a server of a project.",
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    file: (scope, { home, repo }) => join(scope === "project" ? repo : home, ".gemini/settings.json"),
    set: json("mcpServers", plain),
    afterwards: "Start gemini and open /mcp.",
  },
  {
    name: "opencode",
    title: "OpenCode",
    file: (scope, folders) => join(openCodeFolder(scope, folders), "opencode.json"),
    also: (scope, folders) => [join(openCodeFolder(scope, folders), "opencode.jsonc")],
    set: json("mcp", ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true })),
    afterwards: "Start opencode; its tools are named thehood_….",
  },
  {
    name: "cursor",
    title: "Cursor",
    file: (scope, { home, repo }) => join(scope === "project" ? repo : home, ".cursor/mcp.json"),
    set: json("mcpServers", (launch) => plain(inEditor(launch))),
    afterwards: "Open Cursor's settings, MCP, and switch it on.",
  },
  {
    name: "vscode",
    title: "VS Code",
    file: (scope, folders) =>
      scope === "project" ? join(folders.repo, ".vscode/mcp.json") : join(codeFolder(folders), "mcp.json"),
    set: json("servers", (launch) => typed(inEditor(launch))),
    afterwards: 'Run "MCP: List Servers" in VS Code and start it.',
  },
];
