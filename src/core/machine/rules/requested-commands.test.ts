import { describe, expect, it } from "vitest";
import type { EffectOutcome } from "../../contract/index.ts";
import { type Cast, Play, autopilot } from "../../../../tests/support/play.ts";

const asks = (...requestedCommands: string[]) => ({
  payload: { verdict: "approve", summary: "let me see", requestedCommands },
});
const says = (verdict: string) => ({ payload: { verdict, summary: verdict } });
const play = (verifier: NonNullable<Cast["replies"]>["verifier"], cast: Cast = {}) =>
  new Play({ policy: autopilot }, { replies: { verifier: verifier ?? [] }, ...cast }).go();
const lines = ({ effects }: Play) =>
  effects.flatMap((effect) => (effect.kind === "run_command" ? [effect.argv.at(-1)] : []));
const drafts = ({ effects }: Play) =>
  effects.flatMap((effect) =>
    effect.kind === "write_directive" && effect.call.phase === "verify" ? [effect.draft] : [],
  );
const verdictCalls = (of: Play) => of.of("agent_response").filter(({ role }) => role === "verifier").length;

describe("commands that a verifier asks for", () => {
  it("[R-6] an approval beside a request does not count: the commands run, and the second answer decides", () => {
    const run = play([asks("npm test", "git log -1"), says("ask_user")]);
    expect(lines(run)).toEqual(["npm test", "git log -1"]);
    expect(run.gate).toBe("verifier_verdict");
    expect(verdictCalls(run)).toBe(2);
    expect(run.effects.find(({ kind }) => kind === "run_command")).toMatchObject({
      allowed: false,
      onCopy: { tree: run.run.passes.at(-1)?.captured?.patch?.tree },
    });
    const [first, second] = drafts(run);
    expect(first?.instructions.join()).toContain("requestedCommands");
    expect(second?.attachments.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["requested_command_1 stdout", "requested_command_2 stdout"]),
    );
    expect(JSON.stringify(second?.variables)).toContain("git log -1");
  });

  it("[R-14] are bounded: four of one answer, two answers of one pass, and then only a verdict counts", () => {
    const many = asks("a", "b", "c", "d", "e", "a");
    const run = play([many, many, asks("z")]);
    expect(lines(run)).toEqual(["a", "b", "c", "d", "a", "b", "c", "d"]);
    expect(verdictCalls(run)).toBe(3);
    expect(run.state).toBe("completed");
    expect(drafts(run).at(-1)?.instructions.join()).not.toContain("requestedCommands");
  });

  it("[S-9] no policy passes the gate of a risky one, and the loop waits for it", () => {
    const risky: EffectOutcome = { kind: "run_command_gated", class: "network", why: "it reaches out" };
    const run = play([asks("curl x"), says("approve")], {
      command: ({ allowed }) => (allowed ? failed : risky),
    });
    expect(run.gate).toBe("risky_command");
    expect(verdictCalls(run)).toBe(1);
    expect(
      play([asks("curl x"), says("approve")], { command: () => risky })
        .answer("reject")
        .go().state,
    ).toBe("completed");
    expect(run.answer("approve").go().state).toBe("completed");
    expect(run.effects.filter(({ kind }) => kind === "run_command")).toHaveLength(2);
  });

  it("[R-14] a run whose budget is used up runs none of them, and asks for more before the verifier", () => {
    const cast = { replies: { verifier: [asks("npm test"), says("approve")] }, tokens: 100 };
    const calls = new Play({ policy: autopilot }, cast).go().of("agent_response");
    const used = calls.findIndex(({ role }) => role === "verifier") + 1;
    const budgets = { ...autopilot.budgets, maxTokens: used * 100 };
    const run = new Play({ policy: { ...autopilot, budgets } }, cast).go();
    expect(run.gate).toBe("token_budget");
    expect(lines(run)).toEqual([]);
    expect(run.of("side_completed")).toMatchObject([{ outcome: "blocked" }]);
  });

  it("[R-6] the verifier receives the commands QA suggests, none of which runs automatically", () => {
    const qa = [{ payload: { verdict: "pass", missedCases: ["an empty list"], suggestedCommands: ["npm run slow"] } }];
    const cast: Cast = { replies: { qa, verifier: [asks("npm run slow"), says("approve")] } };
    const run = new Play({ policy: autopilot }, cast).go();
    const variablesOf = (of: Play) => drafts(of).map(({ variables }) => JSON.stringify(variables));
    expect(run.of("agent_response").map(({ role }) => role)).toContain("qa");
    expect(variablesOf(run)[0]).toContain('"suggestedCommands":["npm run slow"]');
    expect(variablesOf(run)[0]).toContain("an empty list");
    expect(lines(run)).toEqual(["npm run slow"]);
    const silent = { replies: { qa, verifier: [says("approve")] } };
    expect(lines(new Play({ policy: autopilot }, silent).go())).toEqual([]);
  });
});

const failed: EffectOutcome = { kind: "effect_failed", code: "internal", message: "it broke", remedy: null };
