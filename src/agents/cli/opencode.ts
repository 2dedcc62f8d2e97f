// OpenCode as an agent program: `opencode run` with its events, and a configuration of ours for each call: of the user's
// own only the models and how they are reached.
import { join } from "node:path";
import { readFileSync, statSync } from "node:fs";
import { type ParseError, parse } from "jsonc-parser";
import { agentProgram, isRecord, recordOf } from "../../core/contract/index.ts";
import {
  type JsonLine,
  cachedPart,
  countAt,
  jsonLines,
  lineAt,
  textAt,
  describeTool,
  type ToolTable,
} from "./lines.ts";
import { fileText, offlineShell } from "./environment.ts";
import type { AgentInput, AgentEnvironment, AgentOutput, AgentProgram, AgentReply, StreamedText } from "./program.ts";
import type { Spending } from "./meter.ts";

function usageOf(steps: readonly JsonLine[]): AgentReply["usage"] {
  if (steps.length === 0) return undefined;
  const sum = (count: (tokens: JsonLine | undefined) => number) =>
    steps.reduce((total, step) => total + count(lineAt(step, "tokens")), 0);
  const costs = steps.map(({ cost }) => (typeof cost === "number" && cost >= 0 ? cost : 0));
  const cost = costs.reduce((total, one) => total + one, 0);
  return {
    inputTokens: sum((tokens) => {
      const cache = lineAt(tokens, "cache");
      return countAt(tokens, "input") + countAt(cache, "read") + countAt(cache, "write");
    }),
    outputTokens: sum((tokens) => countAt(tokens, "output") + countAt(tokens, "reasoning")),
    ...cachedPart(sum((tokens) => countAt(lineAt(tokens, "cache"), "read"))),
    ...(cost > 0 ? { costUsd: cost } : {}),
  };
}

/** Each step reports its own usage. */
function spendsOpencode(event: JsonLine): Spending | undefined {
  const step = event["type"] === "step_finish" ? lineAt(event, "part") : undefined;
  const usage = step && usageOf([step]);
  return usage && { id: textAt(step, "id") ?? JSON.stringify(step), ...usage };
}

function readOpencode({ stdout, stderr }: AgentOutput): AgentReply {
  const lines = jsonLines(stdout);
  const parts = (type: string) => lines.flatMap((line) => (line["type"] === type ? [lineAt(line, "part") ?? {}] : []));
  const steps = parts("step_finish");
  const texts = parts("text");
  const message = texts.at(-1)?.["messageID"];
  const error = lines.findLast(({ type }) => type === "error")?.["error"];
  const done = steps.at(-1)?.["reason"] === "stop";
  return {
    text: done
      ? texts.flatMap((part) => (part["messageID"] === message ? [textAt(part, "text") ?? ""] : [])).join("")
      : undefined,
    usage: usageOf(steps),
    problem: error === undefined ? errorText(done, stderr) : explained(wordsOf(error)),
    denials: parts("tool_use").flatMap((part) => {
      const state = lineAt(part, "state");
      const refused = /unavailable tool|prevents you from using|rejected permission/.test(textAt(state, "error") ?? "");
      return refused ? [textAt(part, "tool") ?? "a tool without a name"] : [];
    }),
  };
}

function wordsOf(error: unknown): string {
  if (!isRecord(error)) return String(error);
  const data = lineAt(error, "data");
  const code = countAt(data, "statusCode");
  const said = textAt(data, "message") ?? textAt(error, "message") ?? JSON.stringify(error);
  return code === 0 ? said : `${said} (status ${code})`;
}

const escapes = /\u001b\[[0-9;]*m/g;

function errorText(done: boolean, stderr: string): string | undefined {
  if (done) return undefined;
  const said = /Error: [^\n]*|Model not found[^\n]*/.exec(stderr.replaceAll(escapes, ""))?.[0];
  return said && explained(said);
}

function explained(problem: string): string {
  const short = problem.slice(0, 1_000);
  return /\b401\b|api.key|unauthorized|credentials/i.test(short)
    ? `${short} (log in again: opencode auth login)`
    : short;
}

const tools: ToolTable = {
  bash: ["$", "command"],
  write: ["writes", "filePath"],
  edit: ["edits", "filePath"],
  read: ["reads", "filePath"],
  grep: ["searches", "pattern"],
  glob: ["looks for", "pattern"],
};

/** The news in an event for a person who waits. */
function describeOpencodeEvent(event: JsonLine): string | undefined {
  const part = event["type"] === "tool_use" ? lineAt(event, "part") : undefined;
  const name = textAt(part, "tool") ?? "";
  return describeTool(tools, name, lineAt(lineAt(part, "state"), "input"));
}

function opencodeText(event: JsonLine): StreamedText | undefined {
  const part = event["type"] === "text" ? lineAt(event, "part") : undefined;
  const text = textAt(part, "text");
  return text === undefined ? undefined : { text };
}

/** Used while there is no catalog. */
const usual: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-4-5"],
  openai: ["gpt-5.5", "gpt-5.2", "gpt-5.2-codex"],
  google: ["gemini-3-pro-preview", "gemini-2.5-pro", "gemini-2.5-flash"],
};

const maxBytes = 20_000_000;

/** The list that OpenCode last fetched of models.dev: provider, then models by name. */
function catalogOf(file: string): JsonLine {
  try {
    if (statSync(file).size > maxBytes) return {};
    return JSON.parse(readFileSync(file, "utf8")) as JsonLine;
  } catch (error) {
    // Not there yet, or half written.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return {};
    throw error;
  }
}

function modelsIn(catalog: JsonLine, own: JsonLine, accounts: readonly string[]): string[] {
  const named = (owner: string): readonly string[] => {
    const listed = Object.keys(lineAt(lineAt(catalog, owner), "models") ?? {});
    const added = Object.keys(lineAt(lineAt(lineAt(own, "provider"), owner), "models") ?? {});
    const known = Object.hasOwn(usual, owner) ? (usual[owner] ?? []) : [];
    return [...added, ...(listed.length > 0 ? listed : known)];
  };
  return [...new Set(accounts)].flatMap((owner) => named(owner).map((name) => `${owner}/${name}`));
}

const below = (place: AgentEnvironment, variable: string, usual: string): string =>
  join(place.variables[variable] || join(place.home, usual), "opencode");
const dataOf = (place: AgentEnvironment): string => below(place, "XDG_DATA_HOME", ".local/share");
const configOf = (place: AgentEnvironment): string => below(place, "XDG_CONFIG_HOME", ".config");
const cacheOf = (place: AgentEnvironment): string => below(place, "XDG_CACHE_HOME", ".cache");
const authOf = (place: AgentEnvironment): string => join(dataOf(place), "auth.json");

/** The variable that holds a key, and whose key it is. */
const keys: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: "anthropic",
  OPENAI_API_KEY: "openai",
  GEMINI_API_KEY: "google",
  GOOGLE_GENERATIVE_AI_API_KEY: "google",
  OPENROUTER_API_KEY: "openrouter",
  GROQ_API_KEY: "groq",
  MISTRAL_API_KEY: "mistral",
  DEEPSEEK_API_KEY: "deepseek",
  XAI_API_KEY: "xai",
  OPENCODE_API_KEY: "opencode",
};

/** JSON with comments and trailing commas; {} when it cannot be read. */
function looseJson(text: string): JsonLine {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? recordOf(value) : {};
}

const usersOwn = (place: AgentEnvironment): JsonLine =>
  Object.assign(
    {},
    ...["config.json", "opencode.json", "opencode.jsonc"].map((name) =>
      looseJson(fileText(join(configOf(place), name))),
    ),
  ) as JsonLine;

const kept = ["provider", "model", "small_model", "enabled_providers"];
const closedOf = (own: JsonLine): unknown[] =>
  Array.isArray(own["disabled_providers"]) ? (own["disabled_providers"] as unknown[]) : [];

/** Answers without a login; by default it would be taken before those that there is a key for. */
const free = "opencode";

/** One with its own key, or one that the user defined. A changed address is not a login. */
const configured = (place: AgentEnvironment): string[] => {
  const providers = lineAt(usersOwn(place), "provider") ?? {};
  return Object.keys(providers).filter((name) => {
    const one = lineAt(providers, name);
    return [lineAt(one, "options")?.["apiKey"], one?.["npm"], one?.["models"]].some(Boolean);
  });
};

const accountsOf = (place: AgentEnvironment): string[] => [
  ...Object.keys(looseJson(fileText(authOf(place)))),
  ...Object.entries(keys).flatMap(([name, owner]) => (place.variables[name] ? [owner] : [])),
  ...configured(place),
];

const readTools = ["read", "list", "glob", "grep", "todowrite", "todoread"];

/** The shell is allowed only in our sandbox, and there without the network; the same for reading. */
const toolsFor = ({ mayEdit, confined, nests }: AgentInput): readonly string[] => [
  ...readTools,
  ...(mayEdit ? ["edit"] : []),
  ...(mayEdit && nests ? ["bash"] : []),
  ...(confined ? ["external_directory"] : []),
];

function configFor(place: AgentEnvironment, tools: readonly string[]): object {
  const own = usersOwn(place);
  return {
    ...Object.fromEntries(kept.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]]))),
    disabled_providers: [...closedOf(own), ...(accountsOf(place).includes(free) ? [] : [free])],
    share: "disabled",
    autoupdate: false,
    snapshot: false,
    permission: { "*": "deny", ...Object.fromEntries(tools.map((tool) => [tool, "allow"])) },
  };
}

/** It would install a package into its configuration folder, unless it seems to be there. */
const pretended = { "@opencode-ai/plugin": "*" };
const settledFolder = {
  "config/opencode/package.json": JSON.stringify({ dependencies: pretended }),
  "config/opencode/package-lock.json": JSON.stringify({
    lockfileVersion: 3,
    packages: { "": { dependencies: pretended } },
  }),
  "config/opencode/node_modules/.keep": "",
};

function command(asked: AgentInput) {
  const { slug, place, folder } = asked;
  const tools = toolsFor(asked);
  const hasShell = tools.includes("bash");
  const secret = [...Object.keys(keys), "OPENCODE_CONFIG_CONTENT", ...(place.settings.passEnv ?? [])];
  const shell = offlineShell({ variables: secret, files: [authOf(place)] });
  return {
    args: [
      // A title of ours spares it asking a model for one.
      ..."run --format json --pure --title thehood".split(" "),
      ...(slug === null ? [] : ["--model", slug]),
    ],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(configFor(place, tools)),
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_CLAUDE_CODE: "1",
      OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
      XDG_CONFIG_HOME: join(folder, "config"),
      ...(hasShell ? { SHELL: join(folder, "bin/bash") } : {}),
    },
    permissionMode: `deny all but ${tools.join(" ")}${hasShell ? " (without network)" : ""}`,
    files: { ...settledFolder, ...(hasShell ? { "bin/bash": shell } : {}) },
    own: [{ path: join(folder, "config"), access: "write" as const }],
  };
}

export const opencode: AgentProgram = {
  ...agentProgram("opencode"),
  about: "OpenCode, with the models it is logged in to",
  boundary: "external",
  version: { args: ["--version"], oldest: "1.1.0" },
  models: (place) => modelsIn(catalogOf(join(cacheOf(place), "models.json")), usersOwn(place), accountsOf(place)),
  nested: true,
  variables: [...Object.keys(keys), "XDG_DATA_HOME", "XDG_CACHE_HOME", "AWS_REGION", "OPENCODE_MODELS_PATH"],
  own: (place) => [
    { path: dataOf(place), access: "private" },
    { path: authOf(place), access: "write" },
    { path: join(cacheOf(place), "models.json"), access: "read" },
    { path: join(cacheOf(place), "bin"), access: "read" },
  ],
  login(place) {
    const remedy = "Log in with: opencode auth login; or set the key of a provider, such as ANTHROPIC_API_KEY.";
    // No code goes to its free service unasked.
    return { state: accountsOf(place).length > 0 ? "present" : "missing", remedy };
  },
  defaultModel: (place) => textAt(usersOwn(place), "model") ?? null,
  command,
  read: readOpencode,
  describeEvent: describeOpencodeEvent,
  textOf: opencodeText,
  spends: spendsOpencode,
};
