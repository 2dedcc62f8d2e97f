import { expect, it } from "vitest";
import { Play, agent, autopilot, creation } from "../../../../tests/support/play.ts";
import { figuresOf, sumOfRuns, sumsBy } from "./index.ts";

const roles = {
  ...creation().roles,
  implementer: agent("codex-cli:a", { modelBacked: true }),
  verifier: agent("claude-cli:b", { modelBacked: true }),
};
const priced = () => new Play({ roles, policy: autopilot }, { costUsd: 0.25 }).go();

it("[B-12] the figures of a run count each call once, with its role, agent, tokens and reported cost", () => {
  const play = priced();
  const figures = figuresOf(play.log);
  expect(figures.end).toBe("accepted");
  expect(figures.calls).toHaveLength(play.run.calls.length);
  expect(figures.lines).toBeGreaterThan(0);
  const total = sumOfRuns([figures, figures]);
  const paid = play.run.calls.filter(({ record }) => record.assignment.modelBacked).length;
  expect(total).toMatchObject({
    calls: 2 * play.run.calls.length,
    callsOfUnknownCost: 0,
    usd: paid * 0.5,
    usdPerAcceptedRun: paid * 0.25,
    changedLines: 2 * figures.lines,
    runs: { accepted: 2, refused: 0, open: 0 },
  });
  const agents = sumsBy("agent", [figures]);
  expect(agents.map(({ name }) => name)).toEqual(expect.arrayContaining(["codex-cli:a", "claude-cli:b"]));
  expect(agents.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total.tokens / 2);
});

it("[B-12] a cost that no provider reported is unknown, and no price per run is made from it", () => {
  const total = sumOfRuns([figuresOf(new Play({ roles, policy: autopilot }).go().log)]);
  expect(total.callsOfUnknownCost).toBeGreaterThan(0);
  expect(total).toMatchObject({ usd: 0, usdPerAcceptedRun: null, usdPerChangedLine: null });
});

it("[B-12] a cost that is estimated from tokens is a part of the sum and named beside it", () => {
  const price = { input: 10, output: 0, from: "your price" };
  const estimating = { ...creation().roles, implementer: agent("codex-cli:a", { modelBacked: true, price }) };
  const total = sumOfRuns([figuresOf(new Play({ roles: estimating, policy: autopilot }).go().log)]);
  expect(total.estimatedUsd).toBeGreaterThan(0);
  expect(total).toMatchObject({ usd: total.estimatedUsd, callsOfUnknownCost: 0, usdPerAcceptedRun: total.usd });
});

it("a run that is not over counts as open, and work that was taken out again is not accepted", () => {
  const { log } = priced();
  expect(figuresOf(log.filter(({ event }) => event.type !== "run_completed"))).toMatchObject({ end: "open", lines: 0 });
  const taken = { type: "work_taken_out", taken: {} } as unknown as (typeof log)[number]["event"];
  expect(figuresOf([...log, { seq: 999, at: 1, event: taken }])).toMatchObject({ end: "refused", lines: 0 });
});
