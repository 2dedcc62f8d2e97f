// A person tells a run something while it goes on, through the real program.
import { describe, expect, it } from "vitest";
import { atWork } from "./tell-scene.ts";

describe("thehood tell", () => {
  it("--cancel leaves the run at a question, and the wider scope is another one", async () => {
    const { desk, runId } = await atWork();
    expect(desk.thehood(["tell", runId, "x", "--now", "--cancel"]).err).toContain("Only one of");
    const wider = desk.thehood(["tell", runId, "the docs too", "--acceptance", "docs name add", "--json"]);
    expect(wider.json()).toMatchObject({ gate: expect.stringMatching(/^gate_/), stopped: null });
    expect(desk.thehood(["tell", runId, "wait", "--cancel", "--json"]).code).toBe(0);
    const { err } = desk.thehood(["tell", runId, "again", "--cancel"]);
    expect(err).toContain("no call to cancel");
    const status = desk.thehood(["status", runId]).out;
    expect(status).toContain("An agent was interrupted");
    expect(desk.thehood(["abort", runId]).code).toBe(0);
  });
});
