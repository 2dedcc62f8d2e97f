// Commands that put TheHood into agents: the MCP server, and its place in their configuration.
import type { CommandSpec } from "../spec.ts";

const group = "Inside agents";

export const mcpTable: readonly CommandSpec[] = [
  {
    name: "mcp",
    group,
    summary: "Serve the MCP tools to an agent, on the standard streams or on loopback HTTP",
    options: [
      {
        name: "root",
        value: "dir",
        many: true,
        help: "another folder the client may use (default: this repository only)",
      },
      { name: "http", help: "serve streamable HTTP instead of the standard streams" },
      { name: "port", value: "n", help: "the port for --http (default: a free one)" },
      { name: "host", value: "addr", help: "the address for --http (default: 127.0.0.1)" },
      { name: "allow-remote", help: "you allow an address that other machines can reach" },
      { name: "keep-token", help: "keep the token for the next start, in a file only you can read" },
    ],
    examples: ["thehood mcp", "thehood mcp --http --port 7466"],
    load: async () => (await import("./mcp.ts")).serve,
  },
  {
    name: "mcp config",
    group,
    summary: "Show or install the configuration of an agent that is to use TheHood",
    args: [
      {
        name: "host",
        optional: true,
        help: "codex, claude, gemini, opencode, cursor or vscode; all of them without",
      },
    ],
    options: [
      { name: "install", help: "write it into the agent's file; the old file is kept beside it" },
      {
        name: "scope",
        value: "scope",
        choices: ["project", "user"],
        help: "this repository's file, or yours for every repository (default: user)",
      },
    ],
    examples: ["thehood mcp config codex", "thehood mcp config claude --install --scope project"],
    load: async () => (await import("./mcp-config.ts")).config,
  },
];
