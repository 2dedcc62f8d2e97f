import { expect, it } from "vitest";
import { Play, agent, autopilot, creation } from "../../../../tests/support/play.ts";
import { openGates } from "../index.ts";

const budgets = (more: object) => ({ ...autopilot, budgets: { ...creation().policy.budgets, ...more } });
const notes = (play: Play) =>
  play.run.findings
    .filter(({ kind, message }) => kind === "budget" && message.includes("%"))
    .map(({ message }) => message);

/** Tells tokens only, at a price at which a call costs some dollars. */
const roles = (usd: number) => {
  const price = { input: usd, output: usd, from: "your price" };
  return { ...creation().roles, implementer: agent("codex-cli:a", { modelBacked: true, price }) };
};
const costOfRun = (usd: number) =>
  new Play({ roles: roles(usd), policy: budgets({ maxUsd: 1_000 }) }).go().run.spent.usd;

it("[B-12] money binds an agent that tells tokens only: the run stops at the gate of the budget and says what is estimated", () => {
  expect(costOfRun(10_000)).toBeGreaterThan(0);
  const play = new Play({ roles: roles(10_000), policy: budgets({ maxUsd: costOfRun(10_000) / 2 }) }).go();
  const [gate] = openGates(play.run);
  expect(gate?.kind).toBe("money_budget");
  expect(gate?.subject.text).toMatch(/are used, of which about \$[\d.]+ estimated from tokens/);
});

it("[B-12] a model without a known price counts as a dear one where money is limited, and as unknown elsewhere", () => {
  const unpriced = { ...creation().roles, implementer: agent("codex-cli:a", { modelBacked: true }) };
  const limited = new Play({ roles: unpriced, policy: budgets({ maxUsd: 1_000 }) }).go();
  expect(limited.run.spent.usd).toBeGreaterThan(0);
  expect(new Play({ roles: unpriced, policy: autopilot }).go().run.spent.usd).toBe(0);
});

it("[B-12] over 70 % of a budget is noted once, with the amount and the limit", () => {
  const whole = costOfRun(10_000);
  const play = new Play({ roles: roles(10_000), policy: budgets({ maxUsd: whole * 1.25 }) }).go();
  expect(play.state).toBe("completed");
  expect(notes(play)).toEqual([expect.stringMatching(/^80 % of the money budget are used: \$[\d.]+ of \$[\d.]+\./)]);
  expect(notes(new Play({ roles: roles(10_000), policy: budgets({ maxUsd: whole * 2 }) }).go())).toEqual([]);
  const tokens = new Play({ policy: autopilot }).go().run.spent.tokens;
  const bounded = new Play({ policy: budgets({ maxTokens: Math.ceil(tokens * 1.1) }) }).go();
  expect(notes(bounded)).toEqual([expect.stringMatching(/ % of the token budget are used: \d+ of \d+\./)]);
});
