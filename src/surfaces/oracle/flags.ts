// The flags of a run as plain data. Their meaning is said in the contract; here is only how they are written.
import {
  apiProviders,
  applyModes,
  bundleFormats,
  engines,
  previewModes,
  reasoningEfforts,
} from "../../contract/transport/index.ts";
import type { Flag } from "./spec.ts";

const request = "Request";
const engine = "Engine";
const browser = "Browser";
const diff = "Diff";
const git = "Git";
const secrets = "Secrets";
const session = "Session and output";
const preview = "Preview";

export const runFlags: readonly Flag[] = [
  { option: "prompt", short: "p", value: "text", group: request },
  { option: "promptFile", value: "path", group: request },
  { option: "file", short: "f", value: "paths", many: true, group: request },
  { option: "lineNumbers", group: request },
  { option: "maxFileSize", value: "bytes", number: true, group: request },
  { option: "maxTotalSize", value: "bytes", number: true, group: request },
  { option: "engine", short: "e", value: "engine", choices: engines, group: engine },
  { option: "model", short: "m", value: "name", group: engine },
  { option: "provider", value: "provider", choices: apiProviders, group: engine },
  { option: "baseUrl", value: "url", group: engine },
  { option: "background", negatable: true, group: engine },
  { option: "reasoningEffort", value: "effort", choices: reasoningEfforts, group: engine },
  { option: "maxOutputTokens", value: "count", number: true, group: engine },
  { option: "browserUrl", value: "url", group: browser },
  { option: "copilot", group: browser },
  { option: "browserBundleFiles", value: "globs", many: true, group: browser },
  { option: "browserBundleFormat", value: "format", choices: bundleFormats, group: browser },
  { option: "keepBundle", group: browser },
  { option: "domSnapshot", value: "ms", number: true, group: browser },
  { option: "emitDiffOnly", group: diff },
  { option: "strictDiff", group: diff },
  { option: "restrictPathPrefix", value: "dir", group: diff },
  { option: "retryIfNoDiff", group: diff },
  { option: "maxRetries", value: "count", number: true, group: diff },
  { option: "followupPrompt", value: "text", group: diff },
  { option: "diffOutput", value: "path", group: diff },
  { option: "applyMode", value: "mode", choices: applyModes, group: git },
  { option: "gitRoot", value: "path", group: git },
  { option: "branch", value: "name", group: git },
  { option: "commitMessage", value: "text", group: git },
  { option: "push", group: git },
  { option: "approvePath", value: "paths", many: true, group: git },
  { option: "sanitizePrompt", group: secrets },
  { option: "secretScan", group: secrets },
  { option: "slug", short: "s", value: "words", group: session },
  { option: "timeout", value: "time", group: session },
  { option: "heartbeat", value: "time", group: session },
  { option: "jsonOutput", value: "path", group: session },
  { option: "metricsOutput", value: "path", group: session },
  { option: "writeOutput", value: "path", group: session },
];

export const jsonHelp = "Print one JSON document on stdout.";

export interface RootExtra {
  readonly flags: string;
  readonly help: string;
  readonly group: string;
  readonly choices?: readonly string[];
  readonly preset?: string;
}

/** What steers this call of the program rather than the run. */
export const rootExtras: readonly RootExtra[] = [
  { flags: "--json", help: jsonHelp, group: session },
  { flags: "--wait", help: "Wait for the answer (default).", group: session },
  { flags: "--no-wait", help: "Start the run, print its session and leave.", group: session },
  { flags: "-q, --quiet", help: "No progress on stderr.", group: session },
  {
    flags: "--dry-run [mode]",
    help: "Show what would be sent and stop.",
    group: preview,
    choices: previewModes,
    preset: "summary",
  },
  { flags: "--render", help: "Print the whole message and stop.", group: preview },
  { flags: "--files-report", help: "Show what each file costs.", group: preview },
  { flags: "--count-tokens", help: "Count tokens exactly instead of estimating.", group: preview },
];

/** `browserBundleFiles` is written `--browser-bundle-files`. */
export const flagName = (option: string) =>
  `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export interface Sub {
  readonly name: string;
  readonly summary: string;
  readonly args?: string;
  readonly options?: readonly (readonly [string, string])[];
  readonly run?: readonly string[];
}

/** Options of a run that make sense for making a bundle, and for the diff pipeline alone. */
const bundling = [
  "file",
  "browserBundleFiles",
  "browserBundleFormat",
  "lineNumbers",
  "maxFileSize",
  "maxTotalSize",
];
const applying = [
  "emitDiffOnly", "strictDiff", "restrictPathPrefix", "diffOutput", "applyMode", "gitRoot", "branch",
  "commitMessage", "push", "approvePath", "jsonOutput",
]; // prettier-ignore

export const subs: readonly Sub[] = [
  {
    name: "status",
    summary: "list sessions",
    options: [
      ["--limit <count>", "how many (20)"],
      ["--all", "all of them"],
    ],
  },
  { name: "session", args: "<id>", summary: "show one session and its answer" },
  {
    name: "attach",
    args: "<id>",
    summary: "follow a running session and print its answer",
    options: [["-q, --quiet", "no progress on stderr"]],
  },
  { name: "cancel", args: "<id>", summary: "end a running session" },
  {
    name: "restart",
    args: "<id>",
    summary: "run a session's request again, or fetch the answer that waits at the provider",
    options: [
      ["--fresh", "send again even if an answer waits"],
      ["--timeout <time>", "longest time for this run"],
      ["--no-wait", "start it and leave"],
      ["-q, --quiet", "no progress on stderr"],
    ],
  },
  {
    name: "clear",
    args: "[ids...]",
    summary: "remove ended sessions",
    options: [
      ["--older-than <time>", "those that ended longer ago, e.g. 7d"],
      ["--all", "all that have ended"],
      ["--dry-run", "only say which"],
    ],
  },
  { name: "doctor", summary: "check what this machine needs to run oracle" },
  {
    name: "bundle",
    summary: "make the bundle of some files and stop",
    options: [["-o, --output <path>", "where to write it"]],
    run: bundling,
  },
  {
    name: "apply",
    args: "<answer>",
    summary: "run the diff pipeline on a saved answer: a file, a session, or -",
    run: applying,
  },
  { name: "mcp", summary: "serve the tools consult and sessions over MCP on stdin and stdout" },
];
