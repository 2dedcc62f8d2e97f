// Claude Code as an agent program: print mode with its event stream, a fixed set of tools, and a schema for the answer.
import { join } from "node:path";
import { agentProgram, isRecord, responseJsonSchema } from "../../core/contract/index.ts";
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
import { hasLoginFile, hasVariable, offlineShell } from "./environment.ts";
import type { Spending } from "./meter.ts";
import type {
  AgentInput,
  AgentEnvironment,
  AgentOutput,
  AgentProgram,
  AgentReply,
  Refusal,
  StreamedText,
} from "./program.ts";

const homeOf = ({ home, variables }: AgentEnvironment): string =>
  variables["CLAUDE_CONFIG_DIR"] || join(home, ".claude");

const credentialsOf = (place: AgentEnvironment): string => join(homeOf(place), ".credentials.json");
const keys = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

const readTools = ["Read", "Glob", "Grep"];
const editTools = ["Edit", "Write", "NotebookEdit"];

/** The shell is allowed only in our sandbox: Claude's permission mode judges the text of a command, not its effect. */
function toolsFor({ mayEdit, nests }: AgentInput): readonly string[] {
  if (!mayEdit) return readTools;
  return [...readTools, ...editTools, ...(nests ? ["Bash"] : [])];
}

const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
};

function command(asked: AgentInput) {
  const { call, slug, mayEdit, place, folder } = asked;
  const tools = toolsFor(asked);
  const hasShell = tools.includes("Bash");
  const shell = offlineShell({ variables: keys, files: [credentialsOf(place)] });
  const mode = mayEdit ? "acceptEdits" : "dontAsk";
  const { $schema: _, ...schema } = responseJsonSchema(call.contract);
  return {
    args: [
      ..."-p --output-format stream-json --verbose --no-session-persistence".split(" "),
      // No hooks, servers or rules of the repository, nor of the user's daily work.
      ..."--setting-sources= --strict-mcp-config --no-chrome --disable-slash-commands".split(" "),
      "--permission-mode",
      mode,
      "--tools",
      tools.join(","),
      // Edits are accepted in the workspace by the mode, and nowhere else.
      "--allowedTools",
      tools.filter((tool) => !editTools.includes(tool)).join(","),
      "--disallowedTools",
      ["Read", "Edit"].map((tool) => `${tool}(/${homeOf(place)}/**)`).join(","),
      ...(slug === null ? [] : ["--model", slug]),
      "--json-schema",
      JSON.stringify(schema),
    ],
    env: { ...quiet, ...(hasShell ? { CLAUDE_CODE_SHELL_PREFIX: `${join(folder, "shell")} -c` } : {}) },
    permissionMode: `${mode}, tools ${tools.join(" ")}${hasShell ? " (without network)" : ""}`,
    ...(hasShell ? { files: { shell } } : {}),
  };
}

const inputKeys = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
const tokensIn = (usage: JsonLine) => ({
  inputTokens: inputKeys.reduce((sum, key) => sum + countAt(usage, key), 0),
  outputTokens: countAt(usage, "output_tokens"),
  ...cachedPart(countAt(usage, "cache_read_input_tokens")),
});

/** A message comes in pieces, each with the usage of the whole message. */
function spends(event: JsonLine): Spending | undefined {
  const message = event["type"] === "assistant" ? lineAt(event, "message") : undefined;
  const usage = lineAt(message, "usage");
  return usage && { id: textAt(message, "id") ?? "", ...tokensIn(usage) };
}

function usageOf(result: JsonLine | undefined): AgentReply["usage"] {
  const usage = lineAt(result, "usage");
  if (!usage) return undefined;
  const cost = result?.["total_cost_usd"];
  return {
    ...tokensIn(usage),
    ...(typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? { costUsd: cost } : {}),
  };
}

function denialsOf(result: JsonLine | undefined): string[] {
  const list = result?.["permission_denials"];
  return Array.isArray(list)
    ? list.filter(isRecord).map((one) => textAt(one, "tool_name") ?? "a tool without a name")
    : [];
}

/** A run with denials ends with success and exit code 0, so the fields of the result count. */
function read({ stdout }: AgentOutput): AgentReply {
  const result = jsonLines(stdout).findLast((line) => line["type"] === "result");
  const said = textAt(result, "result");
  const shaped = lineAt(result, "structured_output");
  const failed = result !== undefined && (result["is_error"] === true || result["subtype"] !== "success");
  const problem = said ?? (textAt(result, "subtype") || "it ended with an error");
  return {
    text: shaped ? JSON.stringify(shaped) : said,
    usage: usageOf(result),
    problem: failed ? explained(problem) : undefined,
    denials: denialsOf(result),
  };
}

const tools: ToolTable = {
  Bash: ["$", "command"],
  Edit: ["edits", "file_path"],
  Write: ["writes", "file_path"],
  NotebookEdit: ["edits", "notebook_path"],
  Read: ["reads", "file_path"],
  Grep: ["searches", "pattern"],
  Glob: ["looks for", "pattern"],
};

function describeEvent(event: JsonLine): string | undefined {
  const content = lineAt(event, "message")?.["content"];
  if (event["type"] !== "assistant" || !Array.isArray(content)) return undefined;
  const use = content.filter(isRecord).find((block) => block["type"] === "tool_use");
  const name = textAt(use, "name") ?? "";
  return describeTool(tools, name, lineAt(use, "input"));
}

function textOf(event: JsonLine): StreamedText | undefined {
  const content = event["type"] === "assistant" ? lineAt(event, "message")?.["content"] : undefined;
  if (!Array.isArray(content)) return undefined;
  const text = textAt(
    content.filter(isRecord).findLast((block) => block["type"] === "text"),
    "text",
  );
  return text === undefined ? undefined : { text };
}

/** Claude Code tries up to ten times, over minutes, and reports each try. */
function refusal(event: JsonLine): Refusal | undefined {
  if (event["type"] !== "system" || event["subtype"] !== "api_retry") return undefined;
  const status = countAt(event, "error_status");
  const why = (textAt(event, "error") ?? "").replaceAll("_", " ");
  const answer = [status === 0 ? "no connection" : String(status), why].filter(Boolean).join(" ");
  const final = status === 401 || status === 403 || /authentication|billing/.test(why);
  return { text: `${answer}, try ${countAt(event, "attempt")} of ${countAt(event, "max_retries")}`, final };
}

function explained(problem: string): string {
  const short = problem.slice(0, 1_000);
  return /\b401\b|\/login|invalid.api.key|authentication_error/i.test(short)
    ? `${short} (log in again: claude auth login)`
    : short;
}

const clouds = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

export const claude: AgentProgram = {
  ...agentProgram("claude-code"),
  about: "Claude Code, with the account it is logged in to",
  boundary: "external",
  version: { args: ["--version"], oldest: "2.1.61" },
  models: [
    "opus",
    "sonnet",
    "haiku",
    "fable",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-fable-5-2",
  ],
  nested: true,
  variables: ["CLAUDE_CONFIG_DIR", "ANTHROPIC_*", ...keys, ...clouds],
  own: (place) => [
    { path: homeOf(place), access: "private" },
    { path: credentialsOf(place), access: "write" },
  ],
  login(place) {
    const remedy = "Log in with: claude auth login; or set ANTHROPIC_API_KEY.";
    if (hasVariable(place, [...keys, ...clouds]) || hasLoginFile(credentialsOf(place)))
      return { state: "present", remedy };
    // Elsewhere than on Linux it may lie in the system's key chain.
    return { state: process.platform === "linux" ? "missing" : "unknown", remedy };
  },
  command,
  read,
  describeEvent,
  textOf,
  spends,
  refusal,
};
