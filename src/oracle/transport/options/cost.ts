// The cost of tokens: by the price that the user's configuration names, else by the list.
import { dollars } from "../../../core/contract/index.ts";
import { type RunRequest, type TokenUsage } from "../../../core/contract/transport/index.ts";
import { listPrice } from "./models.ts";

const perToken = (dollars: number) => dollars / 1_000_000;

/** A page is paid by its plan; an endpoint of the user's own is not what the list is about. */
function priceOf({ api, model }: RunRequest) {
  if (api === null) return null;
  return api.price ?? (api.baseUrl === null ? listPrice(model) : null);
}

export function inputCost(request: RunRequest, tokens: number): number | null {
  const price = priceOf(request);
  return price === null ? null : tokens * perToken(price.input);
}

/** The provider's own figure where it gives one. */
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
