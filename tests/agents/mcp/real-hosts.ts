// How each real program is made an MCP host of ours: its configuration by our installer, its model on loopback.
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Bench } from "../../mcp/client.ts";
import { binDir } from "../installed.ts";
import { messages, responses, type Action, type Wire } from "../models/index.ts";

export interface RealHost {
  readonly name: string;
  readonly bin: string;
  readonly wire: Wire;
  /** What its output says when a tool of ours was called. */
  readonly callSign: string;
  call(name: string, input: Record<string, unknown>): Action;
  run(bench: Bench, model: string, prompt: string): Promise<{ code: number; out: string }>;
}

const path = `${binDir}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;

function start(bin: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; out: string }>((resolve) => {
    const options = { cwd, env, maxBuffer: 64 << 20, timeout: 240_000 };
    const child = execFile(join(binDir, bin), args, options, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, out: `${stdout}\n${stderr}` }),
    );
    child.stdin?.end();
  });
}

function install(bench: Bench, host: string, env: NodeJS.ProcessEnv): string {
  const ran = bench.thehood(["mcp", "config", host, "--install", "--scope", "project", "--json"], { env });
  return ran.json<{ file: string }>().file;
}

export const codexHost: RealHost = {
  name: "Codex",
  bin: "codex",
  wire: responses,
  callSign: "mcp_tool_call",
  call: (name, input) => ({ do: "tool", name, input, namespace: "mcp__thehood" }),
  run(bench, model, prompt) {
    const home = join(bench.home, "codex");
    mkdirSync(home, { recursive: true });
    const env = { ...bench.env, PATH: path, CODEX_HOME: home, CODEX_API_KEY: "scripted-key" };
    bench.thehood(["mcp", "config", "codex", "--install"], { env });
    const settings = [
      "model_provider=scripted",
      'model_providers.scripted.name="scripted"',
      `model_providers.scripted.base_url="${model}/v1"`,
      'model_providers.scripted.wire_api="responses"',
      'model_providers.scripted.env_key="CODEX_API_KEY"',
      "analytics.enabled=false",
      "check_for_update_on_startup=false",
      // Codex hands a server few variables of its own accord, and nobody is there to allow a tool.
      `mcp_servers.thehood.env={THEHOOD_HOME="${bench.env["THEHOOD_HOME"] ?? ""}"}`,
      'mcp_servers.thehood.default_tools_approval_mode="approve"',
    ].flatMap((setting) => ["-c", setting]);
    const words = ["exec", "--json", "--skip-git-repo-check", "--disable", "plugins", "--cd", bench.repo.dir];
    return start("codex", [...words, "-m", "gpt-5.5", ...settings, prompt], bench.repo.dir, env);
  },
};

export const claudeHost: RealHost = {
  name: "Claude Code",
  bin: "claude",
  wire: messages,
  callSign: "mcp__thehood__thehood_",
  call: (name, input) => ({ do: "tool", name: `mcp__thehood__${name}`, input }),
  run(bench, model, prompt) {
    const env = {
      ...bench.env,
      PATH: path,
      CLAUDE_CONFIG_DIR: join(bench.home, ".claude"),
      ANTHROPIC_API_KEY: "scripted-key",
      ANTHROPIC_BASE_URL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
    };
    const file = install(bench, "claude", env);
    const words = ["-p", prompt, "--output-format", "stream-json", "--verbose", "--mcp-config", file];
    return start("claude", [...words, "--strict-mcp-config", "--allowedTools", "mcp__thehood"], bench.repo.dir, env);
  },
};
