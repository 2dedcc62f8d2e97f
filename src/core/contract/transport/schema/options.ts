// The options as people and programs give them: one strict list for flags, tool calls and config files.
import { z } from "zod";
import { optionHelp as help } from "../option-help.ts";
import { priceSchema } from "./request.ts";
import { apiProviders, applyModes, bundleFormats, engines, reasoningEfforts } from "../text.ts";

const text = z.string();
const flag = z.boolean();
const list = z.array(z.string().min(1));
/** `90` seconds, `500ms`, `90s`, `20m`, `2h`. */
const duration = z.union([z.string(), z.number()]);
const bytes = z.number().int().positive();

export const optionsSchema = z
  .strictObject({
    prompt: text.describe(help.prompt),
    promptFile: text.describe(help.promptFile),
    file: list.describe(help.file),
    root: list.describe(help.root),
    model: text.describe(help.model),
    models: list.describe(help.models),
    engine: z.enum(engines).describe(help.engine),
    slug: text.describe(help.slug),
    timeout: duration.describe(help.timeout),
    heartbeat: duration.describe(help.heartbeat),
    provider: z.enum(apiProviders).describe(help.provider),
    baseUrl: text.describe(help.baseUrl),
    background: flag.describe(help.background),
    reasoningEffort: z.enum(reasoningEfforts).describe(help.reasoningEffort),
    maxOutputTokens: z.number().int().positive().describe(help.maxOutputTokens),
    browserUrl: text.describe(help.browserUrl),
    copilot: flag.describe(help.copilot),
    followup: text.describe(help.followup),
    browserBundleFiles: list.describe(help.browserBundleFiles),
    browserBundleFormat: z.enum(bundleFormats).describe(help.browserBundleFormat),
    keepBundle: flag.describe(help.keepBundle),
    domSnapshot: z.number().int().positive().describe(help.domSnapshot),
    lineNumbers: flag.describe(help.lineNumbers),
    maxFileSize: bytes.describe(help.maxFileSize),
    maxTotalSize: bytes.describe(help.maxTotalSize),
    emitDiffOnly: flag.describe(help.emitDiffOnly),
    diffOutput: text.describe(help.diffOutput),
    jsonOutput: text.describe(help.jsonOutput),
    metricsOutput: text.describe(help.metricsOutput),
    writeOutput: text.describe(help.writeOutput),
    strictDiff: flag.describe(help.strictDiff),
    restrictPathPrefix: text.describe(help.restrictPathPrefix),
    retryIfNoDiff: flag.describe(help.retryIfNoDiff),
    maxRetries: z.number().int().nonnegative().max(10).describe(help.maxRetries),
    followupPrompt: text.describe(help.followupPrompt),
    applyMode: z.enum(applyModes).describe(help.applyMode),
    gitRoot: text.describe(help.gitRoot),
    branch: text.describe(help.branch),
    commitMessage: text.describe(help.commitMessage),
    push: flag.describe(help.push),
    approvePath: list.describe(help.approvePath),
    sanitizePrompt: flag.describe(help.sanitizePrompt),
    secretScan: flag.describe(help.secretScan),
  })
  .partial();
export type Options = z.infer<typeof optionsSchema>;

/** A model under a name of the user's own: any endpoint of a form that is known, with the variable that holds its key. */
const namedModel = z.strictObject({
  model: z.string().min(1),
  provider: z.enum(apiProviders).optional(),
  baseUrl: text.optional(),
  keyEnv: z.string().regex(/^\w+$/).optional(),
  price: priceSchema.optional(),
});
export type NamedModel = z.infer<typeof namedModel>;

/** The user's own config: defaults for options, models of their own, and the root that MCP clients are confined to. */
export const oracleUserConfig = optionsSchema
  .omit({ prompt: true, promptFile: true, slug: true, followup: true, models: true, root: true })
  .extend({
    mcpRoot: z.string().optional(),
    mcpPush: z.boolean().optional(),
    models: z.record(z.string(), namedModel).optional(),
  });
export type OracleUserConfig = z.infer<typeof oracleUserConfig>;

/** A project may say which files and which model; never where data goes or what is applied. */
export const oracleProjectConfig = optionsSchema.pick({
  file: true,
  model: true,
  reasoningEffort: true,
  maxOutputTokens: true,
  browserBundleFiles: true,
  lineNumbers: true,
  maxFileSize: true,
  maxTotalSize: true,
});
export type OracleProjectConfig = z.infer<typeof oracleProjectConfig>;
