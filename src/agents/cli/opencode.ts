// OpenCode as an agent program: `opencode run` with its events, and a configuration of ours for each call: of the user's
// own only the models and how they are reached.
import { join } from "node:path";
import { parse, type ParseError } from "jsonc-parser";
import { agentProgram, recordOf } from "../../core/contract/index.ts";
import { type JsonLine, lineAt, textAt } from "./lines.ts";
import { fileText } from "./login.ts";
import { catalogOf, modelsIn } from "./opencode-models.ts";
import { readOpencode, opencodeText, spendsOpencode, describeOpencodeEvent } from "./opencode-output.ts";
import type { AgentEnvironment, AgentProgram, AgentCommandInput } from "./program.ts";
import { offlineShell } from "./shell.ts";

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

/** One with a key of its own, or one that the user made; that an address was changed is no login. */
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

/** The shell is given only within our own walls, and there without the network; the same for looking around. */
const toolsFor = ({ mayEdit, confined, nests }: AgentCommandInput): readonly string[] => [
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

function command(asked: AgentCommandInput) {
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
  models: (place) =>
    modelsIn(catalogOf(join(cacheOf(place), "models.json")), usersOwn(place), accountsOf(place)),
  nested: true,
  variables: [...Object.keys(keys), "XDG_DATA_HOME", "XDG_CACHE_HOME", "AWS_REGION", "OPENCODE_MODELS_PATH"],
  own: (place) => [
    { path: dataOf(place), access: "private" },
    { path: authOf(place), access: "write" },
    { path: join(cacheOf(place), "models.json"), access: "read" },
    { path: join(cacheOf(place), "bin"), access: "read" },
  ],
  login(place) {
    const remedy =
      "Log in with: opencode auth login; or set the key of a provider, such as ANTHROPIC_API_KEY.";
    // No code goes to its free service unasked.
    return { state: accountsOf(place).length > 0 ? "present" : "missing", remedy };
  },
  defaultModel: (place) => textAt(usersOwn(place), "model") ?? null,
  command,
  read: readOpencode,
  tell: describeOpencodeEvent,
  says: opencodeText,
  spends: spendsOpencode,
};
