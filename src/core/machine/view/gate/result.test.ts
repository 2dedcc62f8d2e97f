import { describe, expect, it } from "vitest";
import { doubtConsequences, doubtKinds } from "../../../contract/index.ts";
import { verifierFact } from "./result.ts";
import type { ReviewRow } from "./shapes.ts";

const review = (approves: boolean): ReviewRow => ({
  role: "verifier",
  agent: "claude-code:sonnet",
  approves,
  verdict: approves ? "approve" : "needs work",
  sentence: "It does what was asked.",
});

const pass = {} as Parameters<typeof verifierFact>[0];

describe("[B-32] the yes of a verifier", () => {
  it("is good news only where there is no doubt", () => {
    expect(verifierFact(pass, [review(true)], 0)).toEqual({ text: "verifier ✔", tone: "good" });
    expect(verifierFact(pass, [review(true)], 1)).toEqual({
      text: "verifier says yes, 1 doubt stays",
      tone: "warn",
    });
    expect(verifierFact(pass, [review(true)], 2)).toEqual({
      text: "verifier says yes, 2 doubts stay",
      tone: "warn",
    });
    expect(verifierFact(pass, [review(false)], 1)).toEqual({ text: "verifier ✘ needs work", tone: "bad" });
  });
});

it.each(doubtKinds)("[B-32] a doubt of the kind %s says what follows from it", (kind) => {
  expect(doubtConsequences[kind]).toMatch(/^[a-z].{15,60}[a-z]$/);
});
