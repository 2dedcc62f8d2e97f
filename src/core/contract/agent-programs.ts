// The table of supported agent programs, one row each. Providers, ranks, completions, hidden folders, logins, steering
// files and ACP agents are derived from it; tests/agent-programs.test.ts checks every row against all of them.

export interface AgentProgramRow {
  readonly id: string;
  /** Its name on PATH. */
  readonly program: string;
  /** The command that installs it. */
  readonly install: string;
  /** The maker of its models; null where the user chooses the maker. */
  readonly vendor: string | null;
  /** Models that completions offer. */
  readonly models: readonly string[];
  /** Paths below a home that hold its logins: hidden from every other program. */
  readonly home: readonly string[];
  /** Files below a home that it needs to answer, its login first. */
  readonly ownFiles: readonly string[];
  /** Programs that speak ACP with the same login. */
  readonly acp: readonly string[];
  /** The folder of a repository that configures it. */
  readonly folder: string;
  /** The file of a repository that names MCP servers for it. */
  readonly servers: string;
  /** The files of a repository that instruct it. */
  readonly instructions: readonly string[];
  /** Its name in the table of hosts. */
  readonly host: string;
}

/** In order of preference. */
export const agentProgramRows = [
  {
    id: "codex-cli",
    program: "codex",
    install: "npm install -g @openai/codex",
    vendor: "OpenAI",
    models: ["default"],
    home: [".codex"],
    ownFiles: [".codex/auth.json", ".codex/config.toml"],
    acp: ["codex-acp"],
    folder: ".codex",
    servers: ".codex/config.toml",
    instructions: ["AGENTS.md"],
    host: "codex",
  },
  {
    id: "claude-code",
    program: "claude",
    install: "npm install -g @anthropic-ai/claude-code",
    vendor: "Anthropic",
    models: ["default", "sonnet", "opus"],
    home: [".claude", ".claude.json"],
    ownFiles: [".claude/.credentials.json", ".claude/settings.json"],
    acp: ["claude-code-acp", "claude-agent-acp"],
    folder: ".claude",
    servers: ".mcp.json",
    instructions: ["CLAUDE.md", "CLAUDE.local.md"],
    host: "claude",
  },
  {
    id: "gemini-cli",
    program: "gemini",
    install: "npm install -g @google/gemini-cli",
    vendor: "Google",
    models: ["default"],
    home: [".gemini"],
    ownFiles: [".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/settings.json"],
    acp: ["gemini"],
    folder: ".gemini",
    servers: ".gemini/settings.json",
    instructions: ["GEMINI.md"],
    host: "gemini",
  },
  {
    id: "opencode",
    program: "opencode",
    install: "npm install -g opencode-ai",
    vendor: null,
    models: ["default"],
    home: [".local/share/opencode"],
    ownFiles: [".local/share/opencode/auth.json", ".config/opencode/opencode.json"],
    acp: ["opencode"],
    folder: ".opencode",
    servers: "opencode.json",
    instructions: ["AGENTS.md"],
    host: "opencode",
  },
] as const satisfies readonly AgentProgramRow[];

export type AgentProgramId = (typeof agentProgramRows)[number]["id"];

const rows: readonly AgentProgramRow[] = agentProgramRows;

/** Name, program and installation of a row. */
export function agentProgram(id: AgentProgramId): Pick<AgentProgramRow, "id" | "program" | "install"> {
  const { program, install } = agentProgramRows.find((row) => row.id === id) ?? agentProgramRows[0];
  return { id, program, install };
}

/** Alternatives for a pattern, each taken literally. */
const alternatives = (texts: Iterable<string>): string =>
  [...new Set(texts)].map((text) => text.replaceAll(/[.\\^$*+?()[\]{}|/]/g, "\\$&")).join("|");

/** `\.codex|\.claude|…` */
export const agentFolderPattern = alternatives(rows.map(({ folder }) => folder));
/** `\.codex|\.claude|\.claude\.json|…` */
export const agentHomePattern = alternatives(rows.flatMap(({ home }) => home));
/** `AGENTS\.md|CLAUDE\.md|…` */
export const agentInstructionPattern = alternatives(rows.flatMap(({ instructions }) => instructions));

const endpointVendors: Readonly<Record<string, string>> = {
  "openai-api": "OpenAI",
  "anthropic-api": "Anthropic",
};

/** The maker of the models behind a provider: two models of one vendor may share one mind. Others are their own vendor. */
export const vendorOfProvider = (id: string): string =>
  agentProgramRows.find((row) => row.id === id)?.vendor ?? endpointVendors[id] ?? id;
