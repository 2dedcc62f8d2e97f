// How each program is sent to a scripted model of ours instead of its own service: words, variables, settings.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProviderSettings } from "../../src/core/contract/index.ts";
import { generate, messages, responses, type Wire } from "./models/index.ts";

export interface Scripted {
  /** The provider's id. */
  readonly id: string;
  /** The program's file. */
  readonly bin: string;
  readonly wire: Wire;
  /** A model that has all of the program's tools, by the program's own name. */
  readonly model: string;
  /** What the user's configuration says. */
  settings(url: string): ProviderSettings;
  /** What the user's environment holds. */
  variables(url: string): Readonly<Record<string, string>>;
  /** Files of the program's own that lie in the user's home. */
  files?(url: string): Readonly<Record<string, string>>;
}

/** A program of the table of agent programs, which joins the conformance suite. */
export interface ScriptedProgram extends Scripted {
  /** A misspelled model, and the model that the message about it suggests. */
  readonly typo: { readonly wrote: string; readonly meant: string };
}

/** Puts a program's own files into a home. */
export function layFiles(home: string, scripted: Scripted, url: string): void {
  for (const [name, text] of Object.entries(scripted.files?.(url) ?? {})) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}

export const codexScripted: ScriptedProgram = {
  id: "codex-cli",
  bin: "codex",
  wire: responses,
  model: "gpt-5.5",
  typo: { wrote: "gpt-5.5.", meant: "gpt-5.5" },
  settings: (url) => ({
    args: [
      "model_provider=scripted",
      'model_providers.scripted.name="scripted"',
      `model_providers.scripted.base_url="${url}/v1"`,
      'model_providers.scripted.wire_api="responses"',
      'model_providers.scripted.env_key="CODEX_API_KEY"',
      "model_providers.scripted.request_max_retries=2",
      "model_providers.scripted.stream_max_retries=1",
    ].flatMap((setting) => ["-c", setting]),
  }),
  variables: () => ({ CODEX_API_KEY: "scripted-key" }),
};

export const claudeScripted: ScriptedProgram = {
  id: "claude-code",
  bin: "claude",
  wire: messages,
  model: "sonnet",
  typo: { wrote: "sonet", meant: "sonnet" },
  settings: () => ({ passEnv: ["CLAUDE_CODE_MAX_RETRIES"] }),
  variables: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "scripted-key",
    CLAUDE_CODE_MAX_RETRIES: "2",
  }),
};

export const geminiScripted: ScriptedProgram = {
  id: "gemini-cli",
  bin: "gemini",
  wire: generate,
  model: "gemini-2.5-flash",
  typo: { wrote: "flahs", meant: "flash" },
  settings: () => ({}),
  variables: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "scripted-key" }),
};

export const opencodeScripted: ScriptedProgram = {
  id: "opencode",
  bin: "opencode",
  wire: messages,
  model: "anthropic/claude-sonnet-4-6",
  typo: { wrote: "anthropic/claude-sonet-4-6", meant: "anthropic/claude-sonnet-4-6" },
  settings: () => ({}),
  variables: () => ({ ANTHROPIC_API_KEY: "scripted-key" }),
  files: (url) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      provider: { anthropic: { options: { baseURL: `${url}/v1` } } },
    }),
  }),
};

/** Every program of the table of agent programs; tests/agent-programs.test.ts expects each row here. */
export const scriptedPrograms: readonly ScriptedProgram[] = [
  codexScripted,
  claudeScripted,
  geminiScripted,
  opencodeScripted,
];

/** Claude Code behind the Agent Client Protocol, as a user of TheHood configures it. */
export const claudeAcpScripted: Scripted = {
  id: "claude-acp",
  bin: "claude-code-acp",
  wire: messages,
  model: "default",
  settings: () => ({
    kind: "acp",
    program: "claude-code-acp",
    passEnv: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_MAX_RETRIES", "DISABLE_TELEMETRY"],
  }),
  variables: (url) => ({ ...claudeScripted.variables(url), DISABLE_TELEMETRY: "1" }),
};

/** Gemini CLI can be spoken to by ACP too. */
export const geminiAcpScripted: Scripted = {
  ...geminiScripted,
  id: "gemini-acp",
  model: "default",
  settings: () => ({
    kind: "acp",
    program: "gemini",
    args: ["--acp", "--model", "gemini-2.5-flash"],
    authMethod: "gemini-api-key",
    passEnv: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GEMINI_CLI_NO_RELAUNCH"],
  }),
  variables: (url) => ({ ...geminiScripted.variables(url), GEMINI_CLI_NO_RELAUNCH: "1" }),
};
