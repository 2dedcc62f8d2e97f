// The flags of a run as plain data. Their meaning is said in the contract; here is only how they are written.
import {
  apiProviders,
  applyModes,
  bundleFormats,
  engines,
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

/** `browserBundleFiles` is written `--browser-bundle-files`. */
export const flagName = (option: string) => `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
