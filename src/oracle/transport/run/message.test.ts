// What is refused before it is sent: more than the model takes.
import { expect, it } from "vitest";
import { resolveRequest } from "../options/resolve.ts";
import { overBudget } from "./message.ts";

const request = (flags: object) =>
  resolveRequest({ flags, env: { OPENAI_API_KEY: "k" }, user: {}, project: {}, cwd: "/work", prompt: "hello" }).request;

it("a request over an API that is larger than the model takes is refused, unless it is forced", () => {
  expect(overBudget(request({ model: "gpt-5.5" }), 7_000_000)).toMatch(/7000000 tokens are more than the 272000/);
  // The number is an estimate.
  expect(overBudget(request({ model: "gpt-5.5" }), 280_000)).toBeNull();
  expect(overBudget(request({ model: "gpt-5.5", force: true }), 7_000_000)).toBeNull();
  expect(overBudget(request({ model: "of-my-own" }), 7_000_000)).toBeNull();
  expect(overBudget(request({ engine: "browser" }), 7_000_000)).toBeNull();
});
