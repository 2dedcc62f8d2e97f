// What tokens cost: the shape of a price, the list prices that we know with their date, and the cost by a price.
import { z } from "zod";

/** Dollars for a million tokens. */
export const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** Input that the service had read before; the price of other input where it is absent. */
  cached: z.number().nonnegative().optional(),
});
export type Price = z.infer<typeof priceSchema>;

/** A price of the user's for an agent; a `*` at the end stands for all models that begin so. The first that fits counts. */
export const ownPrice = z.strictObject({
  agent: z.string().regex(/^[a-z][a-z0-9-]{0,40}:[^\s*]{0,200}\*?$/),
  ...priceSchema.shape,
});
export type OwnPrice = z.infer<typeof ownPrice>;

export const listPriceDate = "2026-11";

const price = (input: number, cached: number, output: number): Price => ({ input, cached, output });

/** First match wins. A configured price overrides them. */
const prices: readonly [RegExp, Price][] = [
  [/^gpt-5\.5-pro/i, price(30, 30, 180)],
  [/^gpt-5\.5(?!-)/i, price(5, 0.5, 30)],
  [/^gpt-5\.2-pro/i, price(21, 21, 168)],
  [/^gpt-5\.2(?!-)/i, price(1.75, 0.175, 14)],
  [/^gpt-5-mini/i, price(0.25, 0.025, 2)],
  [/^gpt-5(\.1)?(?![-.])/i, price(1.25, 0.125, 10)],
  [/^gpt-4\.1(?!-)/i, price(2, 0.5, 8)],
  [/^claude-opus-4-[56]/i, price(5, 0.5, 25)],
  [/^claude-sonnet-4/i, price(3, 0.3, 15)],
  [/^claude-haiku-4-5/i, price(1, 0.1, 5)],
  [/^gemini-3(\.\d)?-pro/i, price(2, 0.5, 12)],
  [/^gemini-2\.5-pro/i, price(1.25, 0.31, 10)],
  [/^gemini-2\.5-flash(?!-)/i, price(0.3, 0.075, 2.5)],
  [/^grok-4(?!-)/i, price(3, 3, 15)],
];

export const listPrice = (model: string): Price | null => prices.find(([name]) => name.test(model))?.[1] ?? null;

interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that the service had read before. */
  readonly cachedTokens?: number | undefined;
}

export function tokensCost(
  { input, output, cached }: Price,
  { inputTokens, outputTokens, cachedTokens }: Tokens,
): number {
  const known = Math.min(cachedTokens ?? 0, inputTokens);
  return ((inputTokens - known) * input + known * (cached ?? input) + outputTokens * output) / 1_000_000;
}
