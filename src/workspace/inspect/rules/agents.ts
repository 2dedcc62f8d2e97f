// Files that coding agents read from a repository: servers they start, hooks and plugins they run, permissions they take over.
import { isRecord } from "../../../core/contract/index.ts";
import { shown, type ReportFinding } from "../finding.ts";
import { everyKey, field, list, presence, readJsonFile, readLines, type FileRule } from "./file-rule.ts";

const remedy = "Start agents here only with project configuration switched off, or remove the entry.";

/** `{ name: { command, args } | { url } }` under any of the usual names. */
function reportServers(value: unknown, report: ReportFinding): void {
  everyKey(value, new Set(["mcpServers", "servers", "mcp", "mcp_servers", "context_servers"]), (_key, servers) => {
    for (const [name, server] of Object.entries(isRecord(servers) ? servers : {})) {
      const command = field(server, "command");
      const url = field(server, "url") ?? field(server, "serverUrl") ?? field(server, "httpUrl");
      if (command === undefined && url === undefined) continue;
      const args = field(server, "args");
      const line =
        command === undefined ? shown(url) : shown([command, ...(Array.isArray(args) ? args : [])].flat().join(" "));
      report({
        kind: "mcp_server",
        severity: command === undefined ? "medium" : "high",
        what: `MCP server ${shown(name, 40)}: ${line}`,
        why:
          command === undefined
            ? "an agent sends it what it asks, and reads its answers as instructions"
            : "started by an agent that opens this folder",
        remedy,
      });
    }
  });
}

const hookKeys = new Set(
  (
    "hooks notify statusLine apiKeyHelper awsAuthRefresh awsCredentialExport " +
    "otelHeadersHelper toolDiscoveryCommand toolCallCommand discoveryCommand callCommand " +
    "formatter lsp"
  ).split(" "),
);

function reportHooks(value: unknown, report: ReportFinding): void {
  everyKey(value, hookKeys, (key, inner) => {
    const commands: string[] = [];
    const collect = (_: string, command: unknown) => commands.push(shown(command));
    everyKey({ [key]: inner }, new Set(["command", "commands", "run", "bash", "powershell"]), collect);
    if (typeof inner === "string") commands.push(shown(inner));
    if (commands.length === 0) return;
    report({
      kind: "agent_hook",
      severity: "high",
      what: `${key}: ${list(commands)}`,
      why: "run by the agent at its own events, without a question",
      remedy,
    });
  });
}

const permissionKeys = new Set(
  (
    "defaultMode enableAllProjectMcpServers allow additionalDirectories autoApprove " +
    "alwaysAllow yolo approvalMode permission trust sandbox chat.tools.autoApprove " +
    "chat.tools.global.autoApprove autoAccept allowedTools dangerouslySkipPermissions " +
    "skipDangerousModePermissionPrompt"
  ).split(" "),
);
const harmlessPermission = /^(false|null|\[\]|\{\}|"(default|ask|plan|read-only|untrusted|on-request|deny)")$/;

function reportPermissions(value: unknown, report: ReportFinding): void {
  everyKey(value, permissionKeys, (key, inner) => {
    const text = JSON.stringify(inner) ?? "";
    if (harmlessPermission.test(text)) return;
    report({
      kind: "agent_permission",
      severity: "high",
      what: `${key}: ${shown(text)}`,
      why: "the agent asks less often, or not at all, in this folder",
      remedy,
    });
  });
  everyKey(value, new Set(["env", "environment"]), (_key, env) => {
    const steering = Object.keys(isRecord(env) ? env : {}).filter((name) =>
      /(BASE_URL|PROXY|PATH|NODE_OPTIONS|LD_PRELOAD|API_KEY|TOKEN|ENDPOINT)/i.test(name),
    );
    if (steering.length > 0)
      report({
        kind: "agent_permission",
        severity: "high",
        what: `sets ${list(steering)}`,
        why: "your prompts and credentials may go elsewhere, or other programs be found",
        remedy,
      });
  });
}

const pluginKeys = new Set(
  "plugin plugins enabledPlugins extraKnownMarketplaces extensions instructions skills".split(" "),
);

function reportPlugins(value: unknown, report: ReportFinding): void {
  everyKey(value, pluginKeys, (key, inner) => {
    const names = Array.isArray(inner)
      ? inner.map((entry: unknown) => shown(field(entry, "name") ?? entry, 60))
      : Object.keys(isRecord(inner) ? inner : {});
    if (names.length === 0) return;
    const code = key !== "instructions" && key !== "skills";
    report({
      kind: code ? "agent_plugin" : "agent_instructions",
      severity: code ? "high" : "low",
      what: `${key}: ${list(names)}`,
      why: code ? "code that the agent loads and runs" : "text the agent takes as instructions",
      remedy,
    });
  });
}

function reportJson(text: string, report: ReportFinding): void {
  const value = readJsonFile(text);
  reportServers(value, report);
  reportHooks(value, report);
  reportPermissions(value, report);
  reportPlugins(value, report);
}

/** Codex and its kin keep TOML. */
function reportToml(text: string, report: ReportFinding): void {
  for (const { section, key, value } of readLines(text)) {
    const place = section === "" ? key : `${section}.${key}`;
    const where = `${shown(place, 60)} = ${shown(value)}`;
    if (/^mcp_servers\b/.test(section) && (key === "command" || key === "url"))
      report({
        kind: "mcp_server",
        severity: key === "command" ? "high" : "medium",
        what: `MCP server ${where}`,
        why: "started, or asked, by an agent that opens this folder",
        remedy,
      });
    else if (key === "notify" || /\bhooks?\b/.test(place))
      report({
        kind: "agent_hook",
        severity: "high",
        what: where,
        why: "run by the agent at its own events",
        remedy,
      });
    else if (
      /^(approval_policy|sandbox_mode|trust_level|base_url|openai_base_url|chatgpt_base_url|env_key|network_access|writable_roots)$/.test(
        key,
      ) &&
      !/"?(read-only|untrusted|on-request|false)"?/.test(value)
    )
      report({
        kind: "agent_permission",
        severity: "high",
        what: where,
        why: "the agent asks less often, or talks to another server, in this folder",
        remedy,
      });
  }
}

const settings = [
  /(^|\/)\.(claude\/settings(\.local)?\.json|cursor\/(mcp|hooks|environment|permissions|cli|sandbox)\.json|gemini\/settings\.json|qwen\/settings\.json|mcp\.json|vscode\/mcp\.json|roo\/mcp\.json|kiro\/settings\/[^/]+\.json|kiro\/hooks\/[^/]+|amazonq\/(mcp|default)\.json|windsurf\/(hooks|mcp_config)\.json|codeium\/[^/]+\.json|trae\/mcp\.json|factory\/(mcp|settings|hooks)\.json|junie\/mcp\/mcp\.json|augment\/settings\.json|amp\/settings\.json|copilot\/[^/]+\.json|github\/(hooks|copilot)\/[^/]+\.json|opencode\/opencode\.jsonc?|crush\.json|zed\/settings\.json|continue\/config\.json|pi\/settings\.json|agents?\/(mcp|hooks|settings)\.json|codex\/hooks\.json|clinerules\/hooks\/[^/]+\.json|cline\/mcp\.json|claude-plugin\/(plugin|marketplace)\.json)$/,
  /(^|\/)(mcp|opencode|crush|gemini-extension|hooks\/hooks)\.json$/,
  /(^|\/)opencode\.jsonc$/,
];

export const agentRules: readonly FileRule[] = [
  { path: settings, look: reportJson },
  { path: /(^|\/)\.(codex|vibe|grok)\/[^/]+\.toml$/, look: reportToml },
  {
    path: /(^|\/)\.(continue\/(config|mcpServers\/[^/]+)|goose\/[^/]+|aider\.conf|openhands\/[^/]+)\.ya?ml$/,
    look: (text, report) => {
      for (const { key, value } of readLines(text))
        if (/^(command|cmd|lint-cmd|test-cmd|auto-test|auto-lint|yes-always|load|read|setup)$/.test(key))
          report({
            kind: "agent_hook",
            severity: "high",
            what: `${shown(key)}: ${shown(value)}`,
            why: "run or taken over by the agent when it opens this folder",
            remedy,
          });
    },
  },
  presence(
    /(^|\/)\.opencode\/(plugins?|tools?)\/.+\.[cm]?[jt]sx?$/,
    "agent_plugin",
    "high",
    "an OpenCode plugin or tool",
    "loaded and run by OpenCode when it opens this folder",
    remedy,
  ),
  presence(
    /(^|\/)\.(pi\/extensions|gemini\/extensions|claude\/plugins|cursor\/extensions)\/.+/,
    "agent_plugin",
    "high",
    "an extension of an agent",
    "loaded by the agent when it opens this folder",
    remedy,
  ),
  presence(
    /(^|\/)\.(claude|cursor|clinerules|factory|codex|kiro)\/hooks\/.+/,
    "agent_hook",
    "medium",
    "a hook script of an agent",
    "run when the agent's settings name it",
    remedy,
  ),
  presence(
    /(^|\/)\.openhands\/(setup|pre-commit)\.sh$/,
    "agent_hook",
    "high",
    "a set-up script of an agent",
    "run by the agent when it opens this folder",
    remedy,
  ),
  presence(
    /(^|\/)\.(claude\/(commands|agents|skills|output-styles|workflows)|cursor\/(commands|agents)|gemini\/commands|codex\/(prompts|skills)|opencode\/(commands?|agents?|skills?)|agents\/skills|roo\/rules[^/]*|windsurf\/(rules|workflows)|kiro\/steering|github\/(prompts|chatmodes|agents|instructions))\/.+/,
    "agent_instructions",
    "low",
    "commands, agents or rules for an agent",
    "an agent takes them as instructions",
    "Read them as you would read a script.",
  ),
];
