// The options as people and programs give them: one strict list for flags, tool calls and config files.
import { z } from "zod";
import { apiProviders, applyModes, bundleFormats, engines, reasoningEfforts } from "../words.ts";

const text = z.string();
const flag = z.boolean();
const list = z.array(z.string().min(1));
/** `90` seconds, `500ms`, `90s`, `20m`, `2h`. */
const duration = z.union([z.string(), z.number()]);
const bytes = z.number().int().positive();

export const optionsSchema = z
  .strictObject({
    prompt: text.describe("The request, fully assembled."),
    promptFile: text.describe("Read the request from this file; - is standard input."),
    file: list.describe("Files, folders and globs to send along; !pattern leaves out."),
    model: text.describe("Model name; for the browser engine, the model to select or 'current'."),
    engine: z.enum(engines).describe("api or browser; api when OPENAI_API_KEY is set, else browser."),
    slug: text.describe("Name of the session: 3 to 5 words."),
    timeout: duration.describe("Longest time for the whole run: 90, 90s, 20m, 2h."),
    heartbeat: duration.describe("Time between signs of life on stderr; 0 for none."),
    provider: z.enum(apiProviders).describe("How to speak to the API; auto decides by model and base URL."),
    baseUrl: text.describe("Base URL of an OpenAI-compatible or Anthropic-compatible API."),
    background: flag.describe("Let the API work in the background and poll; survives a crash."),
    reasoningEffort: z.enum(reasoningEfforts).describe("How hard the model should think."),
    maxOutputTokens: z.number().int().positive().describe("Upper limit of the answer."),
    browserUrl: text.describe("Page to use; full URL or bare host and path."),
    copilot: flag.describe("Use GitHub Copilot on the web."),
    browserBundleFiles: list.describe("Files for the browser bundle: paths, folders, globs, !pattern."),
    browserBundleFormat: z.enum(bundleFormats).describe("Form of the bundle: text (default) or zip."),
    keepBundle: flag.describe("Keep the temporary ZIP after the run."),
    domSnapshot: z.number().int().positive().describe("Save the page every so many milliseconds."),
    lineNumbers: flag.describe("Number the lines of attached text files (costs about a third more tokens)."),
    maxFileSize: bytes.describe("Largest file that is sent along, in bytes."),
    maxTotalSize: bytes.describe("Largest sum of all files, in bytes."),
    emitDiffOnly: flag.describe("Print only the checked diff."),
    diffOutput: text.describe("Where to write the checked diff."),
    jsonOutput: text.describe("Where to write result.json."),
    metricsOutput: text.describe("Where to write metrics.json."),
    writeOutput: text.describe("Where to write the answer."),
    strictDiff: flag.describe("Refuse unsafe paths and every malformed header."),
    restrictPathPrefix: text.describe("Refuse a diff that touches anything outside this folder."),
    retryIfNoDiff: flag.describe("Ask again in the same conversation when no usable diff came."),
    maxRetries: z.number().int().nonnegative().max(10).describe("How often to ask again (1)."),
    followupPrompt: text.describe("What to say when asking again."),
    applyMode: z.enum(applyModes).describe("What git does with the diff: none, check, apply, commit."),
    gitRoot: text.describe("Work tree to apply to; default: the repository around the current folder."),
    branch: text.describe("Branch the commit must land on; made from HEAD when it does not exist."),
    commitMessage: text.describe("Message of the commit."),
    push: flag.describe("After the commit push the branch to its upstream; never forced."),
    approvePath: list.describe("Let the diff change this protected file (CI, hooks, agent settings)."),
    sanitizePrompt: flag.describe("Replace secrets in the prompt before sending."),
    secretScan: flag.describe("Stop before sending when a secret is found."),
  })
  .partial();
export type Options = z.infer<typeof optionsSchema>;

/** The user's own config: defaults for options, and the root that MCP clients are confined to. */
export const userConfigSchema = optionsSchema
  .omit({ prompt: true, promptFile: true, slug: true })
  .extend({ mcpRoot: z.string().optional() });
export type UserConfig = z.infer<typeof userConfigSchema>;

/** A project may say which files and which model; never where data goes or what is applied. */
export const projectConfigSchema = optionsSchema.pick({
  file: true,
  model: true,
  reasoningEffort: true,
  maxOutputTokens: true,
  browserBundleFiles: true,
  lineNumbers: true,
  maxFileSize: true,
  maxTotalSize: true,
});
export type ProjectConfig = z.infer<typeof projectConfigSchema>;
