// The options of a run as fields. Their meaning stands in the contract; here is how a person types them.
import {
  apiProviders,
  applyModes,
  bundleFormats,
  engines,
  optionHelp as help,
  reasoningEfforts,
  type Options,
} from "../../core/contract/transport/index.ts";
import { choice, flag, list, needed, optional, text, whole, type Field } from "../define/index.ts";

type Cli = NonNullable<Field["cli"]>;

/** Neither on nor off unless it is said: a config file may have a word about it. */
export const maybe = (about: string, cli: Cli = {}) => optional(needed(flag(about, { cli })));
const words = (about: string, value: string, cli: Cli = {}) =>
  optional(text(about, { cli: { value, ...cli } }));
const count = (about: string, value: string, limits: { min: number; max?: number }, group: string) =>
  optional(whole(about, { ...limits, cli: { value, group } }));
const oneOf = <const V extends string>(values: readonly V[], about: string, value: string, cli: Cli) =>
  optional(choice(values, about, { cli: { value, ...cli } }));
const names = (about: string, value: string, cli: Cli) =>
  optional(needed(list(text(about, { min: 1 }), about, { cli: { value, several: true, ...cli } })));

const request = { group: "Request" };
const engine = { group: "Engine" };
const browser = { group: "Browser" };
const diff = { group: "Diff" };
const git = { group: "Git" };
const secrets = { group: "Secrets" };
export const session = { group: "Session and output" };

/** Every option of the contract, in the order of the help. */
export const runFields = {
  prompt: words(help.prompt, "text", { short: "p", dashes: true, ...request }),
  promptFile: words(help.promptFile, "path", request),
  followup: words(help.followup, "session", request),
  file: names(help.file, "paths", { short: "f", ...request }),
  root: names(help.root, "folders", request),
  lineNumbers: maybe(help.lineNumbers, request),
  maxFileSize: count(help.maxFileSize, "bytes", { min: 1 }, request.group),
  maxTotalSize: count(help.maxTotalSize, "bytes", { min: 1 }, request.group),
  engine: oneOf(engines, help.engine, "engine", { short: "e", ...engine }),
  model: words(help.model, "name", { short: "m", ...engine }),
  models: names(help.models, "names", { ...engine }),
  provider: oneOf(apiProviders, help.provider, "provider", engine),
  baseUrl: words(help.baseUrl, "url", engine),
  background: maybe(help.background, { negative: true, ...engine }),
  reasoningEffort: oneOf(reasoningEfforts, help.reasoningEffort, "effort", engine),
  maxOutputTokens: count(help.maxOutputTokens, "count", { min: 1 }, engine.group),
  browserUrl: words(help.browserUrl, "url", browser),
  copilot: maybe(help.copilot, browser),
  browserBundleFiles: names(help.browserBundleFiles, "globs", browser),
  browserBundleFormat: oneOf(bundleFormats, help.browserBundleFormat, "format", browser),
  keepBundle: maybe(help.keepBundle, browser),
  domSnapshot: count(help.domSnapshot, "ms", { min: 1 }, browser.group),
  emitDiffOnly: maybe(help.emitDiffOnly, diff),
  strictDiff: maybe(help.strictDiff, diff),
  restrictPathPrefix: words(help.restrictPathPrefix, "dir", diff),
  retryIfNoDiff: maybe(help.retryIfNoDiff, diff),
  maxRetries: count(help.maxRetries, "count", { min: 0, max: 10 }, diff.group),
  followupPrompt: words(help.followupPrompt, "text", { dashes: true, ...diff }),
  diffOutput: words(help.diffOutput, "path", diff),
  applyMode: oneOf(applyModes, help.applyMode, "mode", git),
  gitRoot: words(help.gitRoot, "path", git),
  branch: words(help.branch, "name", git),
  commitMessage: words(help.commitMessage, "text", { dashes: true, ...git }),
  push: maybe(help.push, git),
  approvePath: names(help.approvePath, "paths", git),
  sanitizePrompt: maybe(help.sanitizePrompt, secrets),
  secretScan: maybe(help.secretScan, secrets),
  slug: words(help.slug, "words", { short: "s", ...session }),
  timeout: words(help.timeout, "time", session),
  heartbeat: words(help.heartbeat, "time", session),
  jsonOutput: words(help.jsonOutput, "path", session),
  metricsOutput: words(help.metricsOutput, "path", session),
  writeOutput: words(help.writeOutput, "path", session),
} satisfies Record<keyof Options, Field>;

type RunFields = typeof runFields;

export function pick<const K extends keyof RunFields>(...keys: readonly K[]): Pick<RunFields, K> {
  return Object.fromEntries(keys.map((key) => [key, runFields[key]])) as Pick<RunFields, K>;
}

/** An approval of a protected file is a person's decision, whatever else a call does. */
export const givesApproval = (input: { readonly approvePath?: readonly string[] | undefined }): boolean =>
  (input.approvePath ?? []).length > 0;

/** The options of the contract among the parsed fields of an operation. */
export const optionsOf = (input: Readonly<Record<string, unknown>>): Options =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name in runFields)) as Options;
