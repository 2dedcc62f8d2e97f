import { expect, it } from "vitest";
import { holdsFor } from "../../../tests/support/invariants.ts";
import { invariantsSuite } from "../../../tests/support/invariants-suite.ts";
import { check } from "../../../tests/support/play.ts";
import { defaultPolicy, latestPass } from "./index.ts";

invariantsSuite(120);

// Found by the long set: the person takes work that the verifier sends back, in a run that may not be revised.
it("[R-10] holds where a person overrules the verifier at the gate where the same problem came back", () => {
  const step = { move: "step", which: 0 } as const;
  const answer = (word: "approve" | "accept") =>
    ({ move: "answer", answer: word, honest: true, host: false, words: "" }) as const;
  const steps = (count: number) => Array.from({ length: count }, () => step);
  const budgets = { ...defaultPolicy.budgets, maxIterations: 3, maxRevisions: 0 };
  const revise = { verdict: "revise", summary: "s", failedCriteria: [], blockingConcerns: [] };
  const { state, run } = holdsFor({
    mode: "implement",
    policy: { ...defaultPolicy, approvals: "manual", integrate: "early", editRequiresApproval: false, budgets },
    cast: { replies: { verifier: [{ payload: revise, status: "ok" }] }, checks: [check("npm:test")] },
    external: false,
    missing: ["qa", "critic", "planner"],
    moves: [...steps(14), answer("approve"), ...steps(14), answer("accept"), ...steps(4)],
  });
  expect(state).toBe("completed");
  expect(latestPass(run).accepted).toMatchObject({ by: { kind: "person" } });
});
