// A person stops an agent at work and has it asked again: its files stay, and everyone after it has the words.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { processesOf } from "../support/processes-of.ts";
import { atWork, until } from "./tell-scene.ts";

describe.skipIf(process.platform !== "linux")("thehood tell --now beside kill -9", () => {
  it.each(["before", "after"])(
    "the process of the run, killed %s the words, loses neither words nor files",
    async (when) => {
      const { desk, runId } = await atWork();
      const kill = async () => {
        const [first = 0] = processesOf(runId);
        process.kill(-first, "SIGKILL");
        while (processesOf(runId).length > 0) await sleep(200);
      };
      if (when === "before") await kill();
      const told = desk.thehood(["tell", runId, "and fix add itself", "--now", "--json"]);
      expect(told.code, told.out + told.err).toBe(0);
      if (when === "after" && processesOf(runId).length > 0) await kill();
      desk.thehood(["continue", runId, "--json"]);
      for (let gates = 0; gates < 3; gates += 1) {
        const { gate } = desk.thehood(["status", runId, "--json"]).json<{ gate: { kind: string } | null }>();
        if (gate) desk.thehood(["approve", runId, "--retry", "--json"]);
      }
      expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ state: "completed" });
      expect(readFileSync(join(desk.repo.dir, "NOTES.md"), "utf8")).toContain("half done");
      expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
      const { events } = desk.thehood(["logs", runId, "--json"]).json<{ events: { event: { type: string } }[] }>();
      expect(events.filter(({ event }) => event.type === "message_received")).toHaveLength(1);
      expect(desk.thehood(["log", "verify"]).code).toBe(0);
    },
  );
});

describe("thehood tell", () => {
  it("--now stops the agent at work, keeps its files, and asks it again with the words", async () => {
    const { desk, runId } = await atWork();
    const told = desk.thehood(["tell", runId, "and fix add itself", "--now", "--json"]);
    expect(told.code, told.out + told.err).toBe(0);
    expect(told.json()).toMatchObject({ stopped: expect.stringMatching(/^call_/), gate: null });
    await until(desk, runId, ({ state }) => state === "completed");
    expect(readFileSync(join(desk.repo.dir, "NOTES.md"), "utf8")).toContain("half done");
    expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    expect(desk.thehood(["report", runId]).out).toContain("“and fix add itself”");
    const log = desk.thehood(["logs", runId]).out;
    expect(log).toContain("and fix add itself");
    expect(desk.thehood(["tell", runId, "more"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("no agent is asked any more"),
    });
    expect(desk.thehood(["log", "verify"]).code).toBe(0);
  });
});
