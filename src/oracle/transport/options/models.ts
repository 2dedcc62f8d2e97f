// Models by name: their input budget, and the cost of tokens.
import { dollars } from "../../../core/contract/index.ts";
import type { RunRequest, TokenUsage } from "../../../core/contract/transport/index.ts";
import type { Price } from "../../../core/contract/transport/schema/index.ts";

const perToken = (dollars: number) => dollars / 1_000_000;

/** Null for a page, which its plan pays, and for a base URL of the user's own without a configured price. */
function priceOf({ api, model }: RunRequest) {
  if (api === null) return null;
  return api.price ?? (api.baseUrl === null ? listPrice(model) : null);
}

export function inputCost(request: RunRequest, tokens: number): number | null {
  const price = priceOf(request);
  return price === null ? null : tokens * perToken(price.input);
}

/** The provider's own figure where there is one. */
export function tokenCost(request: RunRequest, usage: TokenUsage | null): number | null {
  const price = priceOf(request);
  if (usage === null) return null;
  if (usage.costUsd !== undefined) return usage.costUsd;
  if (price === null || usage.inputTokens === null || usage.outputTokens === null) return null;
  return usage.inputTokens * perToken(price.input) + usage.outputTokens * perToken(price.output);
}

/** One line before anything is sent. */
export function sendingLine(request: RunRequest, tokens: number, files: number): string {
  const { api, browser, model } = request;
  const target = browser?.url ?? api?.baseUrl ?? `the ${api?.provider ?? ""} API`;
  const cost = inputCost(request, tokens);
  const price =
    browser !== null
      ? "paid by the plan of the page"
      : cost === null
        ? "price unknown"
        : `${dollars(cost)} before the answer`;
  return `sending about ${tokens} tokens with ${files} files to ${target} as ${model}: ${price}`;
}

export const defaultApiModel = "gpt-5.5";
/** In a page: the model that the page has selected. */
export const defaultBrowserModel = "current";

/** Input budgets, low where the name says little. First match wins. */
const budgets: readonly [RegExp, number][] = [
  [/^gpt-(5|6)/i, 272_000],
  [/^gpt-4\.1/i, 1_000_000],
  [/^o\d/i, 200_000],
  [/^claude/i, 200_000],
  [/^gemini/i, 1_000_000],
  [/^grok/i, 256_000],
  [/^current$/, 190_000],
];
const unknown = 128_000;

/** What a model certainly does not take, with a tenth for the estimate; undefined for a model that is not in the table. */
export function mostInput(model: string): number | undefined {
  const known = budgets.find(([name]) => name.test(model))?.[1];
  return known === undefined ? undefined : Math.round(known * 1.1);
}

export const inputBudget = (model: string): number => budgets.find(([name]) => name.test(model))?.[1] ?? unknown;

/** List prices of 2026-11 in dollars for a million tokens. First match wins. A configured price overrides them. */
const prices: readonly [RegExp, Price][] = [
  [/^gpt-5\.5-pro/i, { input: 30, output: 180 }],
  [/^gpt-5\.5(?!-)/i, { input: 5, output: 30 }],
  [/^gpt-5\.2-pro/i, { input: 21, output: 168 }],
  [/^gpt-5\.2(?!-)/i, { input: 1.75, output: 14 }],
  [/^gpt-5-mini/i, { input: 0.25, output: 2 }],
  [/^gpt-5(\.1)?(?![-.])/i, { input: 1.25, output: 10 }],
  [/^gpt-4\.1(?!-)/i, { input: 2, output: 8 }],
  [/^claude-opus-4-[56]/i, { input: 5, output: 25 }],
  [/^claude-sonnet-4/i, { input: 3, output: 15 }],
  [/^claude-haiku-4-5/i, { input: 1, output: 5 }],
  [/^gemini-3(\.\d)?-pro/i, { input: 2, output: 12 }],
  [/^gemini-2\.5-pro/i, { input: 1.25, output: 10 }],
  [/^gemini-2\.5-flash(?!-)/i, { input: 0.3, output: 2.5 }],
  [/^grok-4(?!-)/i, { input: 3, output: 15 }],
];

const listPrice = (model: string): Price | null => prices.find(([name]) => name.test(model))?.[1] ?? null;
