// Codex CLI as an agent program: `codex exec` with its events, its own sandbox for the commands it runs, and an output schema.
import { join } from "node:path";
import { readFileSync, statSync } from "node:fs";
import { agentProgram, isRecord, strictResponseSchema } from "../../core/contract/index.ts";
import { type JsonLine, cachedPart, countAt, jsonLines, lineAt, textAt } from "./lines.ts";
import { fileText, hasLoginFile, hasVariable } from "./environment.ts";
import type { AgentInput, AgentEnvironment, AgentOutput, AgentProgram, AgentReply, StreamedText } from "./program.ts";

const homeOf = ({ home, variables }: AgentEnvironment): string => variables["CODEX_HOME"] || join(home, ".codex");
const toml = (value: string): string => JSON.stringify(value);

/** Nothing of the user's surroundings or of the repository may add to what a role can do. */
const quiet = [
  "analytics.enabled=false",
  "check_for_update_on_startup=false",
  'otel.exporter="none"',
  "notify=[]",
  'approval_policy="never"',
  'shell_environment_policy.inherit="core"',
  // A login shell would read the user's profile, which does not exist here, and lose the search path.
  "allow_login_shell=false",
];
/** Each of them starts something, or reaches for a service, that no role needs. */
const features = ["plugins", "apps", "hooks", "daemon_auto_start", "browser_use", "computer_use"];

const noTmp = "sandbox_workspace_write.exclude_slash_tmp=true";
const noTmpdir = "sandbox_workspace_write.exclude_tmpdir_env_var=true";

/** The folders that a worker's commands may write besides the workspace: the temporary folder where it is private, and
 * never the one that holds the login. */
function temporary({ place, mayEdit, confined }: AgentInput): string[] {
  if (!mayEdit) return [];
  if (!confined) return [noTmp, noTmpdir];
  return livesInTmp(place) ? [noTmp] : [];
}

const livesInTmp = (place: AgentEnvironment): boolean => homeOf(place).startsWith("/tmp/");

const open = "danger-full-access";

/** Codex can do nothing without commands. Where it cannot confine them inside our sandbox, only ours confines them. */
function modeOf({ mayEdit, confined, nests }: AgentInput): string {
  if (confined && !nests) return open;
  return mayEdit ? "workspace-write" : "read-only";
}

function command(asked: AgentInput) {
  const { call, slug, place, folder, confined } = asked;
  const mode = modeOf(asked);
  const dir = call.workspace.dir ?? folder;
  const settings = [
    ...quiet,
    // As settings, because an older or newer Codex refuses a feature it does not know by name.
    ...features.map((feature) => `features.${feature}=false`),
    // A repository that the user trusts elsewhere does not configure a role here.
    `projects={${toml(dir)}={trust_level="untrusted"}}`,
    ...temporary(asked),
  ];
  return {
    args: [
      ..."--json --skip-git-repo-check --ephemeral --ignore-rules --color never".split(" "),
      ...settings.flatMap((setting) => ["-c", setting]),
      ...(slug === null ? [] : ["-m", slug]),
      "-s",
      mode,
      "--cd",
      dir,
      "--output-schema",
      join(folder, "schema.json"),
      "-",
    ],
    env: variablesFor(place, confined),
    permissionMode: `sandbox ${mode}, approval never${mode === open ? " (its own cannot be made within ours; its commands have the network)" : ""}`,
    files: { "schema.json": JSON.stringify(strictResponseSchema(call.contract)) },
  };
}

function variablesFor(place: AgentEnvironment, confined: boolean): Record<string, string> {
  const { variables } = place;
  const key = variables["CODEX_API_KEY"] || variables["OPENAI_API_KEY"];
  return {
    // Codex keeps its helpers in its home, and refuses a home below the temporary folder.
    ...(confined && livesInTmp(place) ? { TMPDIR: "/var/tmp" } : {}),
    ...(key && !hasLoginFile(join(homeOf(place), "auth.json")) ? { CODEX_API_KEY: key } : {}),
  };
}

function read({ stdout }: AgentOutput): AgentReply {
  const lines = jsonLines(stdout);
  const items = lines.flatMap((line) => (line["type"] === "item.completed" ? [lineAt(line, "item") ?? {}] : []));
  const last = (type: string): JsonLine | undefined => lines.findLast((line) => line["type"] === type);
  const done = last("turn.completed");
  const failed = lineAt(last("turn.failed"), "error");
  const problem = done ? undefined : (textAt(failed, "message") ?? textAt(last("error"), "message"));
  const usage = lineAt(done, "usage");
  return {
    text: textAt(
      items.findLast((item) => item["type"] === "agent_message"),
      "text",
    ),
    usage: usage && {
      inputTokens: countAt(usage, "input_tokens"),
      outputTokens: countAt(usage, "output_tokens"),
      ...cachedPart(countAt(usage, "cached_input_tokens")),
    },
    problem: problem && explained(problem),
    denials: items.flatMap((item) =>
      item["status"] === "declined" ? [textAt(item, "command") ?? String(item["type"])] : [],
    ),
  };
}

function describeEvent(event: JsonLine): string | undefined {
  const item = lineAt(event, "item");
  const changes = item?.["changes"];
  if (event["type"] === "item.started" && item?.["type"] === "command_execution")
    return `$ ${textAt(item, "command") ?? ""}`;
  if (event["type"] === "item.started" && item?.["type"] === "mcp_tool_call")
    return `uses ${textAt(item, "server") ?? ""} ${textAt(item, "tool") ?? ""}`;
  if (event["type"] === "item.started" && item?.["type"] === "web_search")
    return `searches the web: ${textAt(item, "query") ?? ""}`;
  if (event["type"] === "item.completed" && Array.isArray(changes))
    return `edits ${changes
      .filter(isRecord)
      .map((one) => textAt(one, "path") ?? "")
      .join(", ")}`;
  return undefined;
}

/** Its messages, and the short notes that it makes while it thinks. */
function textOf(event: JsonLine): StreamedText | undefined {
  const item = event["type"] === "item.completed" ? lineAt(event, "item") : undefined;
  const text = ["agent_message", "reasoning"].includes(String(item?.["type"])) ? textAt(item, "text") : undefined;
  return text === undefined ? undefined : { text };
}

function explained(problem: string): string {
  const short = problem.slice(0, 1_000);
  return /\b401\b|unauthorized|invalid.api.key/i.test(short) ? `${short} (log in again: codex login)` : short;
}

export const codex: AgentProgram = {
  ...agentProgram("codex-cli"),
  about: "Codex CLI, with the account it is logged in to",
  boundary: "external",
  verb: "exec",
  version: { args: ["--version"], oldest: "0.128.0" },
  models: (place) => codexModels(join(homeOf(place), "models_cache.json")),
  variables: [
    "CODEX_HOME",
    "CODEX_API_KEY",
    "CODEX_CA_CERTIFICATE",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_ORGANIZATION",
    "OPENAI_PROJECT",
  ],
  nested: true,
  own: (place, nests) => [
    { path: homeOf(place), access: "private" },
    // A login is renewed now and then; commands that nothing else confines must not do that.
    { path: join(homeOf(place), "auth.json"), access: nests ? "write" : "read" },
    { path: join(homeOf(place), "config.toml"), access: "read" },
  ],
  login(place) {
    const remedy = "Log in with: codex login; or set CODEX_API_KEY.";
    if (hasLoginFile(join(homeOf(place), "auth.json")) || hasVariable(place, ["CODEX_API_KEY", "OPENAI_API_KEY"]))
      return { state: "present", remedy };
    // Another service may need another login, or none.
    const words = (place.settings.args ?? []).join("\n") + fileText(join(homeOf(place), "config.toml"));
    return { state: /\bmodel_provider\b/.test(words) ? "unknown" : "missing", remedy };
  },
  defaultModel: (place) => fileText(join(homeOf(place), "config.toml")).match(/^model\s*=\s*"([^"\n]+)"/m)?.[1] ?? null,
  command,
  read,
  describeEvent,
  textOf,
};

/** Known without asking the program. */
const shipped = [
  "gpt-6.1-sol",
  "gpt-6-astra",
  "gpt-6-sol",
  "gpt-6-luna",
  "gpt-5.6-sol",
  "gpt-6.1-terra",
  "gpt-5.6-terra",
  "gpt-5.6-luna",
  "gpt-5.5",
];

const maxBytes = 20_000_000;

function kept(file: string): JsonLine {
  try {
    if (statSync(file).size > maxBytes) return {};
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(value) ? value : {};
  } catch (error) {
    // Not there yet, or half written.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return {};
    throw error;
  }
}

/** The one it would choose first comes first. */
function codexModels(cache: string): readonly string[] {
  const { models } = kept(cache);
  const cached = (Array.isArray(models) ? models.filter(isRecord) : [])
    .filter((model) => model["visibility"] !== "hide")
    .toSorted((one, other) => countAt(one, "priority") - countAt(other, "priority"))
    .flatMap((model) => textAt(model, "slug") ?? [])
    .filter((slug) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(slug));
  return [...new Set([...cached, ...shipped])];
}
