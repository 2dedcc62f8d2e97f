// Models by name: their input budget, and the cost of tokens.
import { dollars, listPrice, tokensCost } from "../../../core/contract/index.ts";
import type { RunRequest, TokenUsage } from "../../../core/contract/transport/index.ts";

/** Null for a page, which its plan pays, and for a base URL of the user's own without a configured price. */
function priceOf({ api, model }: RunRequest) {
  if (api === null) return null;
  return api.price ?? (api.baseUrl === null ? listPrice(model) : null);
}

export function inputCost(request: RunRequest, tokens: number): number | null {
  const price = priceOf(request);
  return price === null ? null : tokensCost(price, { inputTokens: tokens, outputTokens: 0 });
}

/** The provider's own figure where there is one. */
export function tokenCost(request: RunRequest, usage: TokenUsage | null): number | null {
  const price = priceOf(request);
  if (usage === null) return null;
  if (usage.costUsd !== undefined) return usage.costUsd;
  if (price === null || usage.inputTokens === null || usage.outputTokens === null) return null;
  return tokensCost(price, { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens });
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
