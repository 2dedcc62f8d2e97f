// The schema of a request with every option decided, as the transport runs and stores it.
import { z } from "zod";
import { priceSchema } from "../../price.ts";
import {
  apiProviders,
  applyModes,
  assumedParts,
  bundleFormats,
  engines,
  pageTools,
  reasoningEfforts,
  sites,
} from "../text.ts";

const path = z.string().min(1);

export const requestSchema = z.object({
  prompt: z.string().min(1),
  cwd: path,
  engine: z.enum(engines),
  model: z.string().min(1),
  /** Asked one after the other in the same conversation, after the first answer. */
  next: z.array(z.string()).optional(),
  slug: z.string().nullable(),
  /** The session whose conversation over an API is continued. */
  followup: z.string().nullable().default(null),
  files: z.object({
    patterns: z.array(z.string()),
    /** Other folders that files may come from. */
    roots: z.array(path).default([]),
    /** Images and PDF documents that are attached unchanged. */
    attachments: z.array(path).default([]),
    format: z.enum(bundleFormats),
    lineNumbers: z.boolean(),
    keepBundle: z.boolean(),
    maxFileBytes: z.number().int().positive().nullable(),
    maxTotalBytes: z.number().int().positive().nullable(),
  }),
  browser: z
    .object({
      url: z.url(),
      site: z.enum(sites),
      domSnapshotMs: z.number().int().positive().nullable(),
      /** How hard the model should think, chosen in the page. */
      effort: z.enum(reasoningEfforts).optional(),
      /** A tool of the page that the message is sent with. */
      tool: z.enum(pageTools).optional(),
      /** The machine whose browser is used. */
      remote: z.string().optional(),
    })
    .nullable(),
  api: z
    .object({
      provider: z.enum(apiProviders),
      baseUrl: z.url().nullable(),
      background: z.boolean(),
      reasoningEffort: z.enum(reasoningEfforts).nullable(),
      maxOutputTokens: z.number().int().positive().nullable(),
      /** The model may search the web. */
      search: z.boolean().optional(),
      /** What nobody asked for: left out where the server refuses it. */
      assumed: z.array(z.enum(assumedParts)).optional(),
      /** The variable that holds the key, where it is not the provider's usual one. */
      keyEnv: z.string().nullable().default(null),
      /** From the user's configuration. */
      price: priceSchema.nullable().default(null),
    })
    .nullable(),
  diff: z.object({
    active: z.boolean(),
    emitOnly: z.boolean(),
    strict: z.boolean(),
    restrictPrefix: z.string().nullable(),
    retry: z.boolean(),
    maxRetries: z.number().int().nonnegative(),
    followupPrompt: z.string().nullable(),
  }),
  git: z.object({
    applyMode: z.enum(applyModes),
    root: path.nullable(),
    branch: z.string().nullable(),
    commitMessage: z.string().nullable(),
    push: z.boolean(),
    /** Approved files that need approval (CI, hooks, agent settings). */
    approvedPaths: z.array(z.string()),
  }),
  /** `keep`: a person wants the prompt sent with its secrets; without it they are replaced. */
  secrets: z.object({ sanitize: z.boolean(), scan: z.boolean(), keep: z.boolean().optional() }),
  outputs: z.object({
    diff: path.nullable(),
    json: path.nullable(),
    metrics: path.nullable(),
    answer: path.nullable(),
  }),
  /** Send it also when it is larger than the model takes. */
  force: z.boolean().optional(),
  /** A notice on the desktop at the end. */
  notify: z.boolean().optional(),
  timeoutMs: z.number().int().positive(),
  heartbeatMs: z.number().int().nonnegative(),
});
export type RunRequest = z.infer<typeof requestSchema>;

/** On disk the prompt is redacted, and `promptRedacted` is true. */
export const storedRequestSchema = requestSchema.extend({ promptRedacted: z.boolean() });
