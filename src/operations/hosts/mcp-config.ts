// `mcp config`: TheHood in the configuration of an agent.
import { fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, flag, optional, text, withDefault } from "../define/index.ts";

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
  cli: { words: ["host"] },
});
