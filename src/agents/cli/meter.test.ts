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
  for (const tokens of [1_000, 2_000, 3_000]) meter.hear("stdout", line("one", tokens));
  expect(meter.used().inputTokens).toBe(3_000);
  expect([meter.over(), stops]).toEqual([null, 0]);
  meter.hear("stdout", line("two", 2_000));
  expect([meter.over(), stops]).toEqual([null, 0]);
  meter.hear("stdout", line("two", 2_001));
  expect([meter.over(), stops]).toEqual(["token", 1]);
});
