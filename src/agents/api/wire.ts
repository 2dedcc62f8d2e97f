// The parts of the providers' messages that we read. Unknown keys pass; a missing one is not guessed.
import { z } from "zod";

const count = z.number().int().nonnegative().catch(0);

const responsesUsage = z.object({
  input_tokens: count,
  output_tokens: count,
  output_tokens_details: z.object({ reasoning_tokens: count }).optional().catch(undefined),
  total_tokens: count.optional(),
});

const responseItem = z.looseObject({
  type: z.string(),
  content: z
    .array(z.object({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() }))
    .optional()
    .catch(undefined),
});

export const responseObject = z.object({
  id: z.string().min(1),
  status: z.string().optional(),
  model: z.string().optional(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(responseItem).default([]),
  usage: responsesUsage.nullish(),
});
export type ResponseObject = z.infer<typeof responseObject>;

/** Every event of the Responses stream, reduced to what we use of any of them. */
export const responsesEvent = z.object({
  type: z.string(),
  delta: z.string().optional().catch(undefined),
  response: responseObject.optional(),
  item: responseItem.optional().catch(undefined),
  code: z.string().nullish(),
  message: z.string().nullish(),
});

/** Some servers give a text in parts. */
const textParts = z
  .array(z.object({ text: z.string().optional().catch(undefined) }))
  .transform((parts) => parts.map(({ text = "" }) => text).join(""));

const chatSaid = z.object({
  content: z.string().or(textParts).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z
    .array(
      z.object({
        index: z.number().int().nonnegative().optional(),
        id: z.string().nullish(),
        function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
});

export const chatChunk = z.object({
  model: z.string().optional(),
  choices: z
    .array(
      z.object({
        index: z.number().optional(),
        delta: chatSaid.nullish(),
        message: chatSaid.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count.optional(),
      completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(undefined),
      /** Dollars, as OpenRouter reports them. */
      cost: z.number().nonnegative().optional().catch(undefined),
    })
    .nullish(),
});

const anthropicUsage = z.object({
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  cache_creation_input_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
  output_tokens_details: z.object({ thinking_tokens: count }).nullish().catch(undefined),
});
export type AnthropicUsage = z.infer<typeof anthropicUsage>;

/** A message that came in one piece. */
export const anthropicMessage = z.object({
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      input: z.unknown().optional(),
      thinking: z.string().optional(),
      signature: z.string().optional(),
    }),
  ),
  model: z.string().optional(),
  stop_reason: z.string().nullish(),
  usage: anthropicUsage.optional(),
});

export const anthropicEvent = z.object({
  type: z.string(),
  message: z.object({ id: z.string(), model: z.string().optional(), usage: anthropicUsage.optional() }).optional(),
  index: z.number().int().min(0).max(10_000).optional(),
  content_block: z.looseObject({ type: z.string() }).optional(),
  delta: z
    .object({
      type: z.string().optional(),
      text: z.string().optional(),
      partial_json: z.string().optional(),
      thinking: z.string().optional(),
      signature: z.string().optional(),
      stop_reason: z.string().nullish(),
    })
    .optional(),
  usage: anthropicUsage.optional(),
});
