// The table of request options: help, kind, limits and command-line form of each. Flags, arguments of the MCP tool, config
// files, help and reference are derived from it. The order is that of the help.
import { apiProviders, applyModes, bundleFormats, engines, reasoningEfforts } from "./text.ts";

interface OptionSpelling {
  /** The placeholder of its value. */
  readonly value?: string;
  readonly short?: string;
  /** The value may begin with a dash. */
  readonly dashes?: true;
  /** The flag has a --no- form too. */
  readonly negative?: true;
}

export interface OptionRow<V = unknown> {
  /** `time` is seconds as a number, or a text with a unit: `500ms`, `90s`, `20m`, `2h`. */
  readonly kind: "text" | "time" | "flag" | "whole" | "choice" | "list";
  readonly help: string;
  readonly cli: OptionSpelling & { readonly group: string };
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** The type of its value. For the type checker only: never set. */
  readonly "~value"?: V;
}

/** Makes the rows of one heading of the help. */
function rowsOf(group: string) {
  const row = <V>(kind: OptionRow["kind"], help: string, cli: OptionSpelling, more = {}): OptionRow<V> => ({
    kind,
    help,
    cli: { ...cli, group },
    ...more,
  });
  return {
    text: (value: string, help: string, cli: OptionSpelling = {}) => row<string>("text", help, { value, ...cli }),
    time: (help: string) => row<string | number>("time", help, { value: "time" }),
    flag: (help: string, cli: OptionSpelling = {}) => row<boolean>("flag", help, cli),
    whole: (value: string, help: string, min: number, max?: number) =>
      row<number>("whole", help, { value }, { min, ...(max === undefined ? {} : { max }) }),
    choice: <const V extends string>(value: string, values: readonly V[], help: string, cli: OptionSpelling = {}) =>
      row<V>("choice", help, { value, ...cli }, { values }),
    list: (value: string, help: string, cli: OptionSpelling = {}) => row<string[]>("list", help, { value, ...cli }),
  };
}

const request = rowsOf("Request");
const engine = rowsOf("Engine");
const browser = rowsOf("Browser");
const diff = rowsOf("Diff");
const git = rowsOf("Git");
const secrets = rowsOf("Secrets");
const session = rowsOf("Session and output");

export const runOptions = {
  prompt: request.text("text", "The request, fully assembled.", { short: "p", dashes: true }),
  promptFile: request.text("path", "Read the request from this file; - is standard input."),
  followup: request.text("session", "Continue the conversation of this session, in its page or over its API."),
  next: request.list("texts", "Ask this next in the same conversation, each after the answer before it.", {
    dashes: true,
  }),
  file: request.list(
    "paths",
    "Files, folders and globs to send along; !pattern leaves out. A picture or PDF that is named goes as it is.",
    { short: "f" },
  ),
  root: request.list("folders", "Another folder that files may come from, e.g. ../shared."),
  lineNumbers: request.flag("Number the lines of attached text files (costs about a third more tokens)."),
  maxFileSize: request.whole("bytes", "Largest file that is sent along, in bytes (1 MiB).", 1),
  force: request.flag("Send it also when it is too large for the model, or the same request runs already."),
  maxTotalSize: request.whole("bytes", "Largest sum of all files, in bytes (128 MiB).", 1),
  engine: engine.choice("engine", engines, "api or browser; api when there is a key for the model, else browser.", {
    short: "e",
  }),
  model: engine.text(
    "name",
    "Model name, or a name of your own from the config; in a page, the model to select or 'current'.",
    { short: "m" },
  ),
  models: engine.list(
    "names",
    "Ask several models at once: names with commas between them; an answer and a session each.",
  ),
  provider: engine.choice("provider", apiProviders, "How to speak to the API; auto decides by model and base URL."),
  baseUrl: engine.text("url", "Base URL of an OpenAI-compatible or Anthropic-compatible API."),
  background: engine.flag("Let the API work in the background and poll; survives a crash.", {
    negative: true,
  }),
  reasoningEffort: engine.choice("effort", reasoningEfforts, "How hard the model should think."),
  search: engine.flag("Let the model search the web (default for OpenAI's models; in a page its web search).", {
    negative: true,
  }),
  research: browser.flag("Ask for Deep Research in ChatGPT's page; may take an hour."),
  maxOutputTokens: engine.whole("count", "Upper limit of the answer.", 1),
  browserUrl: browser.text("url", "Page to use; full URL or bare host and path."),
  copilot: browser.flag("Use GitHub Copilot on the web."),
  browserBundleFiles: browser.list("globs", "Files for the browser bundle: paths, folders, globs, !pattern."),
  browserBundleFormat: browser.choice("format", bundleFormats, "Form of the bundle: text (default) or zip."),
  remote: browser.text("host", "Use the browser of another machine: HOST:PORT of its oracle serve, or ssh://HOST."),
  keepBundle: browser.flag("Keep the temporary ZIP after the run."),
  domSnapshot: browser.whole("ms", "Save the page every so many milliseconds.", 1),
  emitDiffOnly: diff.flag("Print only the checked diff."),
  strictDiff: diff.flag("Refuse unsafe paths and every malformed header."),
  restrictPathPrefix: diff.text("dir", "Refuse a diff that touches anything outside this folder."),
  retryIfNoDiff: diff.flag("Ask again in the same conversation when no usable diff came."),
  maxRetries: diff.whole("count", "How often to ask again (1).", 0, 10),
  followupPrompt: diff.text("text", "What to say when asking again.", { dashes: true }),
  diffOutput: diff.text("path", "Where to write the checked diff."),
  applyMode: git.choice("mode", applyModes, "What git does with the diff: none, check, apply, commit."),
  gitRoot: git.text("path", "Work tree to apply to; default: the repository around the current folder."),
  branch: git.text("name", "Branch the commit must land on; made from HEAD when it does not exist."),
  commitMessage: git.text("text", "Message of the commit.", { dashes: true }),
  push: git.flag("After the commit push the branch to its upstream; never forced."),
  approvePath: git.list("paths", "Let the diff change this protected file (CI, hooks, agent settings)."),
  sanitizePrompt: secrets.flag("Replace secrets (default for the prompt; with it, in files too); --no-: send them.", {
    negative: true,
  }),
  secretScan: secrets.flag("Stop before sending when a secret is found."),
  slug: session.text("words", "Name of the session: 3 to 5 words.", { short: "s" }),
  timeout: session.time("Longest time for the whole run: 90, 90s, 20m, 2h (1h over the API, 20m in a page)."),
  heartbeat: session.time("Time between signs of life on stderr; 0 for none (30s)."),
  notify: session.flag("Show a notice on this desktop when the run has ended.", { negative: true }),
  jsonOutput: session.text("path", "Where to write result.json."),
  metricsOutput: session.text("path", "Where to write metrics.json."),
  writeOutput: session.text("path", "Where to write the answer."),
} satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof runOptions;
export type OptionValue<N extends OptionName> = (typeof runOptions)[N] extends OptionRow<infer V> ? V : never;

/** The options from the command line, a program or a config file. */
export type Options = { [N in OptionName]?: OptionValue<N> | undefined };
