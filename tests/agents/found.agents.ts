// With nothing configured the real programs are found and fill the roles; several of them read at once.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AgentDesk, openAgentDesk } from "./governed.ts";
import { missing, titled } from "./installed.ts";
import type { Play } from "./models/index.ts";

const fixing: Play = {
  roles: {
    implementer: [
      {
        actions: [
          {
            do: "replace",
            path: "src/add.js",
            from: "export const add = (a, b) => a - b;",
            to: "export const add = (a, b) => a + b;",
          },
        ],
        answer: { payload: { changedFiles: ["src/add.js"] } },
      },
    ],
  },
};

/** The model that the user chose in Codex itself: one that has all of its tools offline. */
function chooseModel({ home }: AgentDesk): void {
  mkdirSync(join(home, ".codex"), { recursive: true });
  writeFileSync(join(home, ".codex", "config.toml"), 'model = "gpt-5.5"\n');
}

describe.skipIf(missing("codex", "claude"))(titled("agents that are found", "codex", "claude"), () => {
  it("[R-5] [R-2] with nothing configured Codex works and Claude Code verifies, and the run says so", async () => {
    const desk = await openAgentDesk(fixing);
    chooseModel(desk);
    const ran = await desk.thehood(["run", "make add() add", "--approvals", "autopilot", "--json"]);
    expect(ran.json(), ran.err).toMatchObject({ state: "completed", ok: true });
    expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    expect(ran.err).toMatch(/codex-cli:default \(.*installed and logged in\)/);
    expect(ran.json()["crew"]).toEqual(
      expect.arrayContaining([
        { role: "implementer", assignment: "codex-cli:default", source: "found" },
        { role: "verifier", assignment: "claude-code:default", source: "found" },
      ]),
    );
    const wires = (role: string) => new Set(desk.requests().flatMap((one) => (one.role === role ? [one.wire] : [])));
    expect(wires("implementer")).toEqual(new Set(["responses"]));
    expect(wires("verifier")).toEqual(new Set(["messages"]));
  });

  it("[R-51] a fan-out has several of them reading at once, and none of them is sent twice", async () => {
    const desk = await openAgentDesk({ roles: {} });
    chooseModel(desk);
    const begun = await desk.thehood(["plan", "look at add()", "--team", "stub", "--approvals", "autopilot", "--json"]);
    const { runId } = begun.json<{ runId: string }>();
    const items = [
      { role: "critic", brief: "what is wrong with add()?", agent: "codex-cli:default" },
      { role: "qa", brief: "what is not tested?", agent: "claude-code:sonnet" },
      { role: "researcher", brief: "who calls it?", agent: "claude-code:haiku" },
    ];
    const ran = await desk.thehood(["fanout", runId, "--items", JSON.stringify(items), "--json"]);
    expect(ran.code, ran.err + ran.out).toBe(0);
    const { events } = (await desk.thehood(["logs", runId, "--json"])).json<{
      events: { event: { type: string; lane?: string; callId?: string } }[];
    }>();
    const after = events.findIndex(({ event }) => event.type === "fanout_requested");
    const story = events.slice(after).flatMap(({ event }) => {
      if (event.type === "provider_wait_posted") return ["sent"];
      return event.type === "agent_response" ? ["answered"] : [];
    });
    expect(story).toEqual(["sent", "sent", "sent", "answered", "answered", "answered"]);
    const asked = desk.requests().filter(({ role }) => role !== null);
    expect(new Set(asked.map(({ callId }) => callId)).size).toBe(3);
  });
});
