import { expect, it } from "vitest";
import { Play, agent, autopilot, creation } from "../../../../tests/support/play.ts";
import { compactStatus, crewLanes } from "./index.ts";

it("[B-12] costs are shown for the run and each role: as their providers reported them, and as unknown where they did not", () => {
  const roles = {
    ...creation().roles,
    implementer: agent("codex-cli:a", { modelBacked: true }),
    verifier: agent("claude-cli:b", { modelBacked: true }),
  };
  const play = new Play({ roles, policy: autopilot }, { costUsd: 0.25 }).go();
  expect(play.state).toBe("completed");
  const paid = play.run.calls.filter(({ record }) => record.assignment.modelBacked).length;
  expect(paid).toBeGreaterThan(1);
  expect(compactStatus(play.run).counts.cost).toBe(`$${(paid * 0.25).toFixed(2)}`);
  const costs = Object.fromEntries(crewLanes(play.run).map(({ role, cost }) => [role, cost.usd]));
  expect(costs).toMatchObject({ verifier: 0.25, orchestrator: 0 });
  expect(JSON.stringify(play.json(play.run.report?.report))).toContain(`"cost":{"usd":${paid * 0.25},"untold":0}`);
  const told = { input: 10, output: 0, from: "your price" };
  const estimating = { ...roles, implementer: agent("codex-cli:a", { modelBacked: true, price: told }) };
  const guessed = new Play({ roles: estimating, policy: autopilot }).go();
  const tokens = guessed.run.calls.find(({ record }) => record.role === "implementer")?.result?.usage.inputTokens ?? 0;
  expect(tokens).toBeGreaterThan(0);
  const lane = crewLanes(guessed.run).find(({ role }) => role === "implementer");
  expect(lane?.cost).toEqual({ usd: tokens / 100_000, untold: 0, estimatedUsd: tokens / 100_000 });
  expect(compactStatus(guessed.run).counts.cost).toMatch(/^about \$[\d.]+ and \d+ calls? of unknown cost$/);
  const silent = new Play({ roles, policy: autopilot }).go();
  expect(compactStatus(silent.run).counts.cost).toBe(`${paid} calls of unknown cost`);
});
