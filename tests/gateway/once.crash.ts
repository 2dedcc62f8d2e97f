// Exactly once in the large: 200 keys, 50 duplicates each, two processes; and 80 deaths at each step of a call.
import process from "node:process";
import { describe, it } from "vitest";
import { duplicatesAtTwo, killedAt, killedBeforeTheAnswer } from "./once-suite.ts";

const times = Number(process.env["THEHOOD_CRASH_TIMES"] ?? 80);

describe("exactly once", () => {
  it("[A-17][A-40] 50 duplicates of each of 200 keys at two processes", () => duplicatesAtTwo(200, 50));
  it.each(["intent", "effect", "result"] as const)("[A-40] killed after the %s, again and again", (step) =>
    killedAt(step, times),
  );
  it("[A-40] killed before the answer, again and again", () => killedBeforeTheAnswer(times));
});
