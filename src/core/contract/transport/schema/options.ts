// The schemas of the options for environment variables and config files, derived from the table of options.
import { z } from "zod";
import { apiProviders } from "../text.ts";
import { runOptions, type OptionName, type OptionRow, type OptionValue } from "../options.ts";
import { priceSchema } from "../../price.ts";

function schemaOf({ kind, values = [], min = 0, max = Number.MAX_SAFE_INTEGER }: OptionRow): z.ZodType {
  switch (kind) {
    case "text":
      return z.string();
    case "time":
      return z.union([z.string(), z.number()]);
    case "flag":
      return z.boolean();
    case "whole":
      return z.number().int().min(min).max(max);
    case "choice":
      return z.enum(values as [string, ...string[]]);
    case "list":
      return z.array(z.string().min(1));
  }
}

type OptionSchemas = { [N in OptionName]: z.ZodOptional<z.ZodType<OptionValue<N>>> };

export const optionsSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(runOptions).map(([name, row]) => [name, schemaOf(row).optional()]),
  ) as OptionSchemas,
);

/** A model under the user's own name: an endpoint with a known protocol, and the variable that holds its key. */
const namedModel = z.strictObject({
  model: z.string().min(1),
  provider: z.enum(apiProviders).optional(),
  baseUrl: z.string().optional(),
  keyEnv: z.string().regex(/^\w+$/).optional(),
  price: priceSchema.optional(),
});
export type NamedModel = z.infer<typeof namedModel>;

/** The user's config: defaults for options, named models, and the root that MCP clients are confined to. */
export const oracleUserConfig = optionsSchema
  .omit({ prompt: true, promptFile: true, next: true, slug: true, followup: true, models: true, root: true })
  .extend({
    mcpRoot: z.string().optional(),
    mcpPush: z.boolean().optional(),
    models: z.record(z.string(), namedModel).optional(),
  });
export type OracleUserConfig = z.infer<typeof oracleUserConfig>;

/** A project can set files and a model, never the destination of data or the apply mode. */
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
