import { expect, it } from "vitest";
import { priceOf } from "./prices.ts";

const agent = (assignment: string, identity = assignment, modelBacked = true) => ({
  assignment,
  identity,
  provider: assignment.split(":")[0] ?? "",
  modelBacked,
});

it.each([
  ["codex-cli:gpt-5.5", "codex-cli:gpt-5.5", { input: 5, output: 30, from: "list price of 2026-11" }],
  ["codex-cli:fast", "codex-cli:gpt-5-mini", { input: 0.25, output: 2 }],
  ["codex-cli:default", "codex-cli:default", { input: 5, output: 30 }],
  ["gemini-cli:gemini-2.5-pro", "gemini-cli:gemini-2.5-pro", { input: 1.25, output: 10 }],
  ["gemini-cli:default", "gemini-cli:default", { input: 2, output: 12 }],
  ["claude-code:sonnet", "claude-code:sonnet", { input: 3, output: 15 }],
  ["opencode:anthropic/claude-opus-4-5", "opencode:anthropic/claude-opus-4-5", { input: 5, output: 25 }],
])("[B-12] %s has the list price of its model, with its date", (assignment, identity, price) => {
  expect(priceOf(agent(assignment, identity), {}, false)).toMatchObject(price);
});

it("[B-12] a price of the user's goes before the list, by name or by a beginning, also for a page and an endpoint of their own", () => {
  const prices = [
    { agent: "codex-cli:gpt-5.5", input: 1, output: 2 },
    { agent: "local:*", input: 0, output: 0 },
    { agent: "codex-cli:*", input: 3, output: 4 },
  ];
  const from = "your price";
  expect(priceOf(agent("codex-cli:gpt-5.5"), { prices }, false)).toEqual({ input: 1, output: 2, from });
  expect(priceOf(agent("codex-cli:gpt-5"), { prices }, false)).toEqual({ input: 3, output: 4, from });
  expect(priceOf(agent("local:qwen"), { prices }, false)).toEqual({ input: 0, output: 0, from });
});

it("no price is known for an endpoint of the user's own, an unknown model, or what is no model; a page is paid by its plan", () => {
  expect(priceOf(agent("local:gpt-5.5"), {}, false)).toBeUndefined();
  expect(priceOf(agent("openai-api:gpt-5.5"), { providers: { "openai-api": { baseUrl: "http://x" } } }, false)).toBe(
    undefined,
  );
  expect(priceOf(agent("opencode:other/thing"), {}, false)).toBeUndefined();
  expect(priceOf(agent("stub:default", "stub:default", false), {}, false)).toBeUndefined();
  expect(priceOf(agent("chatgpt-web:default"), {}, true)).toEqual({ input: 0, output: 0, from: "paid by its plan" });
});
