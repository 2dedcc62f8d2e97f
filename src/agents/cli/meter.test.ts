import { expect, it } from "vitest";
import { createMeter } from "./meter.ts";

const limits = { tokens: 5_000, usd: null };
const line = (id: string, tokens: number) => Buffer.from(`${JSON.stringify({ id, tokens })}\n`);

it("[B-12] a later word about the same turn takes the place of the first, and the limit holds for the sum", () => {
  let stops = 0;
  const meter = createMeter(
    { prompt: "", limits },
    ({ id, tokens }) => ({ id: String(id), inputTokens: Number(tokens), outputTokens: 0 }),
    () => void (stops += 1),
  );
  for (const tokens of [1_000, 2_000, 3_000]) meter.read("stdout", line("one", tokens));
  expect(meter.used().inputTokens).toBe(3_000);
  expect([meter.over(), stops]).toEqual([null, 0]);
  meter.read("stdout", line("two", 2_000));
  expect([meter.over(), stops]).toEqual([null, 0]);
  meter.read("stdout", line("two", 2_001));
  expect([meter.over(), stops]).toEqual(["token", 1]);
});

it("[B-12] a program that tells tokens only is stopped by the money of the run, by its price", () => {
  const price = { input: 1_000, cached: 100, output: 0 };
  const told = ({ id, tokens, cached }: Record<string, unknown>) => ({
    id: String(id),
    inputTokens: Number(tokens),
    outputTokens: 0,
    cachedTokens: Number(cached),
  });
  const call = { prompt: "", limits: { tokens: null, usd: 1, price } };
  const meter = createMeter(call, told, () => undefined);
  meter.read("stdout", Buffer.from(`${JSON.stringify({ id: "one", tokens: 5_000, cached: 4_500 })}\n`));
  expect(meter.over()).toBe(null);
  meter.read("stdout", Buffer.from(`${JSON.stringify({ id: "two", tokens: 51, cached: 0 })}\n`));
  expect(meter.over()).toBe("money");
  const unbound = createMeter({ prompt: "", limits: { tokens: null, usd: 1 } }, told, () => undefined);
  unbound.read("stdout", Buffer.from(`${JSON.stringify({ id: "one", tokens: 9_000_000, cached: 0 })}\n`));
  expect(unbound.over()).toBe(null);
});
