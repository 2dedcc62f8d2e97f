// The price by which the cost of an agent is estimated: the user's, else the list price of its model.
import {
  listPrice,
  listPriceDate,
  type OwnPrice,
  type ResolvedAssignment,
  type UserConfig,
} from "../contract/index.ts";

/** What a program takes by itself, as it is unlikely to be cheaper. */
const usualModels: Readonly<Record<string, string>> = {
  "codex-cli": "gpt-5.5",
  "claude-code": "claude-opus-4-6",
  "gemini-cli": "gemini-3-pro",
};
/** The short names of Claude Code. */
const shortNames: Readonly<Record<string, string>> = {
  opus: "claude-opus-4-6",
  sonnet: "claude-sonnet-4-5",
  haiku: "claude-haiku-4-5",
};

/** Only the programs and endpoints of the makers charge their list prices. */
const listed = new Set([...Object.keys(usualModels), "opencode", "openai-api", "anthropic-api"]);

type Agent = Pick<ResolvedAssignment, "assignment" | "identity" | "provider" | "modelBacked">;

const fits = ({ agent }: OwnPrice, names: readonly string[]): boolean =>
  agent.endsWith("*") ? names.some((name) => name.startsWith(agent.slice(0, -1))) : names.includes(agent);

/** `plan`: the provider is a page, which the user's plan pays. */
export function priceOf(
  { assignment, identity, provider, modelBacked }: Agent,
  { prices = [], providers = {} }: Pick<UserConfig, "prices" | "providers">,
  plan: boolean,
): ResolvedAssignment["price"] {
  if (!modelBacked) return undefined;
  const own = prices.find((one) => fits(one, [assignment, identity]));
  if (own) {
    const { agent: _named, ...price } = own;
    return { ...price, from: "your price" };
  }
  if (plan) return { input: 0, output: 0, from: "paid by its plan" };
  if (!listed.has(provider) || providers[provider]?.baseUrl !== undefined) return undefined;
  const slug = identity.slice(provider.length + 1);
  const model = slug === "default" ? (usualModels[provider] ?? "") : (shortNames[slug] ?? slug.split("/").at(-1) ?? "");
  const price = listPrice(model);
  return price === null ? undefined : { ...price, from: `list price of ${listPriceDate}` };
}
