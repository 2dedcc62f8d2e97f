// Gemini CLI as an agent program: headless with its event stream, a fixed set of tools by its own policy engine, and
// settings of ours in the place of the user's.
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { agentProgram } from "../../core/contract/index.ts";
import { foreignFolders } from "./foreign.ts";
import { readGemini, geminiText, describeGeminiEvent } from "./gemini-output.ts";
import { fileText, hasLoginFile, hasVariable } from "./login.ts";
import type { AgentEnvironment, AgentProgram, AgentCommandInput } from "./program.ts";
import { offlineShell } from "./shell.ts";

const folderOf = ({ home, variables }: AgentEnvironment): string =>
  join(variables["GEMINI_CLI_HOME"] || home, ".gemini");

const keys = ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"];
const clouds = ["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GEMINI_CLI_USE_COMPUTE_ADC"];
const loginsOf = (place: AgentEnvironment): string[] =>
  ["oauth_creds.json", "gemini-credentials.json", "google_accounts.json"].map((name) =>
    join(folderOf(place), name),
  );

const keyFilesOf = ({ variables }: AgentEnvironment): string[] =>
  [variables["GOOGLE_APPLICATION_CREDENTIALS"] ?? ""].filter((path) => isAbsolute(path));

const readTools = ["read_file", "read_many_files", "list_directory", "glob", "grep_search"];
const editTools = ["write_file", "replace"];
const shellTool = "run_shell_command";

const toolsFor = ({ mayEdit, nests }: AgentCommandInput): readonly string[] =>
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

/** Stands in the place of the user's, so that nothing of their daily work adds to what a role can do. */
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
    .map(
      ([tool, decision, rank]) =>
        `[[rule]]\ntoolName = "${tool}"\ndecision = "${decision}"\npriority = ${rank}\n`,
    )
    .join("\n");

function command(asked: AgentCommandInput) {
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
    if (hasVariable(place, [...keys, ...clouds]) || files.some(hasLoginFile))
      return { state: "present", remedy };
    // Another way of logging in may keep its credentials where we do not look.
    const chosen = chosenLogin(place) ?? "oauth-personal";
    return { state: ["oauth-personal", "gemini-api-key"].includes(chosen) ? "missing" : "unknown", remedy };
  },
  defaultModel: ({ variables }) => variables["GEMINI_MODEL"] || null,
  command,
  read: readGemini,
  tell: describeGeminiEvent,
  says: geminiText,
};
