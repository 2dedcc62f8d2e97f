// Serves MCP tools to an agent, and configures agents to use them. While it serves, stdout carries only the protocol.
import { fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, flag, list, optional, text, whole, withDefault } from "../define/index.ts";

export const mcp = define({
  name: "mcp",
  group: "Connect",
  summary: "Serve tools to an agent, on standard streams or loopback HTTP",
  more: "To use it from ChatGPT or another host elsewhere, put a secure MCP tunnel before it instead of an open port: docs/guides/mcp-tunnels.md says how.",
  examples: ["thehood mcp", "thehood mcp --tools all", "thehood mcp --http --port 7466"],
  effect: "decides",
  input: {
    roots: list(
      text("a folder", { cli: { value: "dir" } }),
      "another folder the client may use (default: this repository only)",
      { cli: { name: "root" } },
    ),
    tools: withDefault(
      choice(["main", "all"], "which tools a client is offered; every tool can be called (default main)"),
      "main",
    ),
    http: flag("serve streamable HTTP instead of the standard streams"),
    port: optional(whole("the port for --http (default: a free one)", { min: 0, max: 65_535 })),
    host: optional(text("the address for --http (default: 127.0.0.1)", { cli: { value: "addr" } })),
    allowRemote: flag("you allow an address that other machines can reach"),
    keepToken: flag("use the same token at each start; it is made of your key, and no file holds it"),
  },
  async handle({ roots, tools, http, port, host, allowRemote, keepToken }, context) {
    const said = { port, host, "allow-remote": allowRemote, "keep-token": keepToken };
    const stray = Object.entries(said).find(([, value]) => value !== undefined && value !== false)?.[0];
    if (!http && stray)
      fail("invalid_input", `--${stray} is about HTTP.`, { remedy: `Add --http, or leave --${stray} out.` });
    await context.ports.serveMcp({
      roots: [context.folder, ...roots],
      named: context.named,
      signal: context.signal,
      terminal: context.spell,
      allTools: tools === "all",
      http: http ? { host: host ?? "127.0.0.1", port: port ?? 0, remote: allowRemote, keepToken } : undefined,
    });
  },
  cli: { main: true },
});

export const mcpConfig = define({
  name: "mcp config",
  group: "Connect",
  summary: "Show or install the configuration of an agent that is to use TheHood",
  examples: ["thehood mcp config codex", "thehood mcp config claude --install --scope project"],
  effect: "decides",
  input: {
    host: optional(text("codex, claude, gemini, opencode, cursor or vscode; all of them without")),
    install: flag("write it into the agent's file; the old file is kept beside it"),
    scope: withDefault(
      choice(["project", "user"], "this repository's file, or yours for every repository (default: user)"),
      "user",
    ),
  },
  async handle({ host, install, scope }, { ports, folder: repo }) {
    if (host === undefined && install)
      fail("invalid_input", "Which agent is it to be installed for?", {
        remedy: "thehood mcp config codex --install",
      });
    return host === undefined
      ? { hosts: await ports.listHosts(repo) }
      : { configured: await ports.configureHost({ host, scope, install, repo }) };
  },
  cli: { args: ["host"] },
});
