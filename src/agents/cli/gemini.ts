// Gemini CLI as an agent program: headless with its event stream, a fixed set of tools by its own policy engine, and
// settings of ours in the place of the user's.
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { agentProgram } from "../../core/contract/index.ts";
import { fileText, foreignFolders, hasLoginFile, hasVariable, offlineShell } from "./environment.ts";
import type { AgentInput, AgentEnvironment, AgentOutput, AgentProgram, AgentReply, StreamedText } from "./program.ts";
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

/** The last message of the assistant: its pieces since its last tool use. */
function lastMessage(lines: readonly JsonLine[]): string | undefined {
  const since = lines.findLastIndex(({ type }) => type === "tool_use" || type === "tool_result");
  const pieces = lines
    .slice(since + 1)
    .flatMap((line) =>
      line["type"] === "message" && line["role"] === "assistant" ? [textAt(line, "content") ?? ""] : [],
    );
  return pieces.length === 0 ? undefined : pieces.join("");
}

/** A tool that the policy forbids is not even known to the program. */
function denialsOf(lines: readonly JsonLine[]): string[] {
  const names = new Map(lines.map((line) => [line["tool_id"], textAt(line, "tool_name")] as const).toReversed());
  return lines.flatMap((line) => {
    const why = line["type"] === "tool_result" ? textAt(lineAt(line, "error"), "type") : undefined;
    return why !== undefined && /not_registered|denied|policy/.test(why)
      ? [names.get(line["tool_id"]) ?? "a tool without a name"]
      : [];
  });
}

function readGemini({ stdout, stderr }: AgentOutput): AgentReply {
  const lines = jsonLines(stdout);
  const result = lines.findLast(({ type }) => type === "result");
  const stats = lineAt(result, "stats");
  const error = lineAt(result, "error");
  const failed = result !== undefined && result["status"] !== "success";
  const problem =
    textAt(error, "message") ??
    textAt(
      lines.findLast(({ type }) => type === "error"),
      "message",
    );
  return {
    text: result && !failed ? lastMessage(lines) : undefined,
    usage: stats && {
      inputTokens: countAt(stats, "input_tokens"),
      outputTokens: countAt(stats, "output_tokens"),
      ...cachedPart(countAt(stats, "cached")),
    },
    problem: failed ? explained(problem ?? "it ended with an error") : errorText(result, stderr),
    denials: denialsOf(lines),
  };
}

/** Without a result event the error is on standard error. */
function errorText(result: JsonLine | undefined, stderr: string): string | undefined {
  if (result) return undefined;
  const said = /(?:Error|Please set an Auth method|requires|ModelNotFound)[^\n]*/.exec(stderr)?.[0];
  return said && explained(said);
}

function explained(problem: string): string {
  const short = problem.slice(0, 1_000);
  return /\b401\b|api.key.not.valid|API_KEY_INVALID|auth method|UNAUTHENTICATED/i.test(short)
    ? `${short} (log in again: run gemini once, or set GEMINI_API_KEY)`
    : short;
}

const tools: ToolTable = {
  run_shell_command: ["$", "command"],
  write_file: ["writes", "file_path"],
  replace: ["edits", "file_path"],
  read_file: ["reads", "file_path"],
  grep_search: ["searches", "pattern"],
  glob: ["looks for", "pattern"],
};

/** The news in an event for a person who waits. */
function describeGeminiEvent(event: JsonLine): string | undefined {
  const name = event["type"] === "tool_use" ? (textAt(event, "tool_name") ?? "") : "";
  return describeTool(tools, name, lineAt(event, "parameters"));
}

function geminiText(event: JsonLine): StreamedText | undefined {
  if (event["type"] !== "message" || event["role"] !== "assistant") return undefined;
  const text = textAt(event, "content");
  return text === undefined ? undefined : { text, more: event["delta"] === true };
}

const folderOf = ({ home, variables }: AgentEnvironment): string =>
  join(variables["GEMINI_CLI_HOME"] || home, ".gemini");

const keys = ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"];
const clouds = ["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GEMINI_CLI_USE_COMPUTE_ADC"];
const loginsOf = (place: AgentEnvironment): string[] =>
  ["oauth_creds.json", "gemini-credentials.json", "google_accounts.json"].map((name) => join(folderOf(place), name));

const keyFilesOf = ({ variables }: AgentEnvironment): string[] =>
  [variables["GOOGLE_APPLICATION_CREDENTIALS"] ?? ""].filter((path) => isAbsolute(path));

const readTools = ["read_file", "read_many_files", "list_directory", "glob", "grep_search"];
const editTools = ["write_file", "replace"];
const shellTool = "run_shell_command";

const toolsFor = ({ mayEdit, nests }: AgentInput): readonly string[] =>
  mayEdit ? [...readTools, ...editTools, ...(nests ? [shellTool] : [])] : readTools;

const chosenLogin = (place: AgentEnvironment): string | undefined =>
  /"selectedType"\s*:\s*"([\w-]+)"/.exec(fileText(join(folderOf(place), "settings.json")))?.[1];

/** The way to log in that the user chose, else the one that is there: with a gateway's address it would guess wrong. */
function authOf(place: AgentEnvironment): object {
  const has = (name: string) => Boolean(place.variables[name]);
  const found =
    (has("GOOGLE_GENAI_USE_VERTEXAI") && "vertex-ai") ||
    (has("GEMINI_API_KEY") && "gemini-api-key") ||
    (hasLoginFile(join(folderOf(place), "oauth_creds.json")) && "oauth-personal");
  const selectedType = chosenLogin(place) ?? found;
  return selectedType ? { auth: { selectedType } } : {};
}

/** Replaces the user's, so that nothing of their daily work adds to what a role can do. */
const settingsFor = (place: AgentEnvironment): object => ({
  general: {
    enableAutoUpdate: false,
    enableAutoUpdateNotification: false,
    checkpointing: { enabled: false },
    // Its pauses double from five seconds on.
    maxAttempts: 4,
  },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ide: { enabled: false },
  skills: { enabled: false },
  hooksConfig: { enabled: false },
  experimental: { enableAgents: false },
  tools: { shell: { enableInteractiveShell: false } },
  security: { ...authOf(place), environmentVariableRedaction: { enabled: true, blocked: keys } },
  advanced: { ignoreLocalEnv: true },
});

/** Its highest rules but an administrator's: these tools, and no other. */
const policyFor = (tools: readonly string[]): string =>
  [...tools.map((tool) => [tool, "allow", 999] as const), ["*", "deny", 998] as const]
    .map(([tool, decision, rank]) => `[[rule]]\ntoolName = "${tool}"\ndecision = "${decision}"\npriority = ${rank}\n`)
    .join("\n");

function command(asked: AgentInput) {
  const { call, slug, mayEdit, place, folder, confined } = asked;
  const tools = toolsFor(asked);
  const hasShell = tools.includes(shellTool);
  const mode = mayEdit ? "auto_edit" : "default";
  const foreign = foreignFolders(call.workspace.dir ?? folder, [".gemini"], dirname(folderOf(place)));
  // Where nothing can be hidden, a repository that brings such a folder is not worked in: it could start programs.
  const trusted = confined || !foreign.some((path) => existsSync(path));
  const shell = offlineShell({
    variables: [...keys, ...(place.settings.passEnv ?? [])],
    files: [...loginsOf(place), ...keyFilesOf(place)],
  });
  return {
    args: [
      ..."--output-format stream-json --extensions none --allowed-mcp-server-names none".split(" "),
      "--policy",
      join(folder, "policy.toml"),
      "--approval-mode",
      mode,
      ...(slug === null ? [] : ["--model", slug]),
    ],
    env: {
      GEMINI_CLI_NO_RELAUNCH: "1",
      GEMINI_TELEMETRY_ENABLED: "false",
      NO_COLOR: "1",
      ...(trusted ? { GEMINI_CLI_TRUST_WORKSPACE: "true" } : {}),
      ...(hasShell ? { PATH: `${join(folder, "bin")}:${place.variables["PATH"] ?? ""}` } : {}),
    },
    permissionMode: `${mode}, tools ${tools.join(" ")}${hasShell ? " (without network)" : ""}`,
    files: {
      "settings.json": JSON.stringify(settingsFor(place)),
      "policy.toml": policyFor(tools),
      ...(hasShell ? { "bin/bash": shell } : {}),
    },
    own: [
      {
        path: join(folderOf(place), "settings.json"),
        from: join(folder, "settings.json"),
        access: "read" as const,
      },
    ],
    hidden: foreign,
  };
}

export const gemini: AgentProgram = {
  ...agentProgram("gemini-cli"),
  about: "Gemini CLI, with the account it is logged in to",
  boundary: "external",
  version: { args: ["--version"], oldest: "0.50.0" },
  models: [
    "auto",
    "pro",
    "flash",
    "flash-lite",
    "gemini-3.8-flash",
    "gemini-3.5-flash",
    "gemini-3.5-flash-lite",
    "gemini-3.1-pro-preview",
    "gemini-3.1-flash-lite",
    "gemini-3-pro-preview",
    "gemini-3-flash-preview",
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "gemini-2.5-flash-lite",
  ],
  nested: true,
  variables: ["GEMINI_API_KEY", "GEMINI_MODEL", "GEMINI_CLI_HOME", "GOOGLE_*", "CLOUDSDK_*", ...clouds],
  own: (place) => [
    { path: folderOf(place), access: "private" },
    { path: join(folderOf(place), ".env"), access: "read" },
    ...loginsOf(place).map((path) => ({ path, access: "write" as const })),
    ...keyFilesOf(place).map((path) => ({ path, access: "read" as const })),
  ],
  login(place) {
    const remedy = "Log in with: gemini (once, by hand); or set GEMINI_API_KEY.";
    const files = [...loginsOf(place), join(folderOf(place), ".env")];
    if (hasVariable(place, [...keys, ...clouds]) || files.some(hasLoginFile)) return { state: "present", remedy };
    // Another way of logging in may keep its credentials where we do not look.
    const chosen = chosenLogin(place) ?? "oauth-personal";
    return { state: ["oauth-personal", "gemini-api-key"].includes(chosen) ? "missing" : "unknown", remedy };
  },
  defaultModel: ({ variables }) => variables["GEMINI_MODEL"] || null,
  command,
  read: readGemini,
  describeEvent: describeGeminiEvent,
  textOf: geminiText,
};
