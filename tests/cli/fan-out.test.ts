// A fan-out through the command line.
import { describe, expect, it } from "vitest";
import { type Machine, machine, codexKey, withBoth } from "./crew-scene.ts";

describe("a fan-out through the command line", () => {
  const script = { summons: { critic: [{ delayMs: 400 }], qa: [{}] } };
  const begin = (one: Machine) =>
    one
      .on(["plan", "look", "--team", "stub", "--json", "--stub-script", JSON.stringify(script)])
      .json<{ runId: string }>().runId;

  it("[R-51] prints its results as they were asked, in any order of answers", () => {
    const one = machine();
    const runId = begin(one);
    const items = ["critic", "qa"].map((role) => ({ role, brief: "well?" }));
    const ran = one.on(["fanout", runId, "--items", JSON.stringify(items), "--json"]);
    expect(ran.code, ran.err).toBe(0);
    const { results } = ran.json<{ results: { why: string }[] }>();
    expect(results.map(({ why }) => why.split(":")[0])).toEqual(["stub critic", "stub qa"]);
    const answers = one
      .on(["logs", runId, "--json"])
      .json<{ events: { event: { type: string; role?: string; lane?: string } }[] }>()
      .events.flatMap(({ event }) => (event.type === "agent_response" && event.lane === "side" ? [event.role] : []));
    expect(answers).toEqual(["qa", "critic"]);
  });

  it("[R-51] one that waits at a gate is shown as such, with the answers of the others on record", () => {
    const one = withBoth();
    const runId = begin(one);
    const items = [
      { role: "qa", brief: "well?" },
      { role: "critic", brief: "well?", agent: "codex-cli:default" },
    ];
    const ran = one.on(["fanout", runId, "--items", JSON.stringify(items), "--json"], codexKey);
    expect(ran.code, ran.err).toBe(3);
    expect(ran.json<{ gate: { kind: string } }>().gate.kind).toBe("summon_provider_invocation");
    const aborted = one.on(["abort", runId, "--json"], codexKey);
    expect(aborted.code, aborted.err).toBe(0);
    const status = one.on(["status", runId, "--json"], codexKey).json<{ gate: unknown; state: string }>();
    expect(status).toMatchObject({ gate: null, state: "completed" });
  });

  it.each([
    ["a role with a typo", [{ role: "crtic", brief: "well?" }], /Did you mean critic\?/],
    ["an agent without a model", [{ role: "critic", brief: "well?", agent: "codex" }], /thehood models/],
    ["a field that is not there", [{ role: "critic", brief: "well?", wit: 1 }], /Take out wit/],
    ["a list of none", [], /one to eight/],
    ["a list of nine", Array.from({ length: 9 }, () => ({ role: "critic", brief: "well?" })), /one to eight/],
  ])("%s gets its remedy", (_, items, words) => {
    const one = machine();
    const ran = one.on(["fanout", begin(one), "--items", JSON.stringify(items)]);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(words);
  });

  it("a file that is not there gets its remedy", () => {
    const one = machine();
    const ran = one.on(["fanout", begin(one), "--items", "@nowhere.json"]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("--items @file.json");
  });
});
