import { describe, expect, it } from "vitest";
import { Play, agent, autopilot, creation } from "../../../../tests/support/play.ts";
import { buildFinalReport, openGates } from "../index.ts";

describe("[B-19] what confines the work", () => {
  it.each([
    ["none", /sandbox: NONE\. .* your own rights.*Next step: install bubblewrap, or run all of this/],
    ["bubblewrap", /sandbox: on, bubblewrap around every agent program and check/],
  ] as const)(
    "%s: the gate before the first call says it, from the runner that starts programs",
    (confinement, words) => {
      const play = new Play({}, { inspection: { confinement } }).go();
      expect(play.gate).toBe("implementation_start");
      expect(openGates(play.run)[0]?.subject.text).toMatch(words);
      const roles = { ...creation().roles, orchestrator: agent("codex-cli:x", { modelBacked: true }) };
      const reading = new Play({ mode: "plan", roles }, { inspection: { confinement } }).go();
      expect(reading.gate).toBe("provider_invocation");
      expect(openGates(reading.run)[0]?.subject.text).toMatch(words);
    },
  );

  it("the first line of the report says that agent programs ran without a sandbox", () => {
    const play = new Play({ policy: autopilot }).go();
    expect(buildFinalReport(play.run).markdown.startsWith("#")).toBe(true);
    const calls = play.run.calls.map((call) => ({
      ...call,
      result: call.result && { ...call.result, sandbox: "none" },
    }));
    const [first] = buildFinalReport({ ...play.run, calls }).markdown.split("\n");
    expect(first).toContain(`${calls.length} of ${calls.length} calls of agent programs ran without a sandbox`);
  });
});
