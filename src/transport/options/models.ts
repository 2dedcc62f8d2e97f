// Models by name: their provider, and how many tokens of input are sensible.

export const defaultApiModel = "gpt-5.5";
/** In a page: whatever the page has selected. */
export const defaultBrowserModel = "current";

export type Family = "openai" | "anthropic";

export const familyOf = (model: string): Family => (/^claude[-.]/i.test(model) ? "anthropic" : "openai");

/** Input budgets, conservative where a name says little. First match wins. */
const budgets: readonly [RegExp, number][] = [
  [/^gpt-(5|6)/i, 272_000],
  [/^gpt-4\.1/i, 1_000_000],
  [/^o\d/i, 200_000],
  [/^claude/i, 200_000],
  [/^gemini/i, 1_000_000],
  [/^current$/, 190_000],
];
const unknown = 128_000;

export const inputBudget = (model: string): number =>
  budgets.find(([name]) => name.test(model))?.[1] ?? unknown;
