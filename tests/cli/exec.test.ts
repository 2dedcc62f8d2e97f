// `thehood exec` through the real program, cut off with kill -9 while the command runs.
import { existsSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub, type Desk } from "./program.ts";

const slowWrite = ["sh", "-c", "echo once >> mark.txt; sleep 600"];

function finishedRun(desk: Desk): string {
  desk.thehood(["teams", "apply", "stub"]);
  const run = ["run", "fix add", "--approvals", "autopilot", "--json", ...stub(fixing)];
  return desk.thehood(run).json<{ runId: string }>().runId;
}

async function written(path: string): Promise<void> {
  for (let turn = 0; turn < 600 && !existsSync(path); turn++) await pause(100);
  expect(existsSync(path)).toBe(true);
}

describe("a command whose process is gone", () => {
  it("is not started a second time when it may change something; its job ends as unknown", async () => {
    const desk = openTestDesk();
    const runId = finishedRun(desk);
    const mark = join(desk.repo.dir, "mark.txt");
    const child = desk.spawn(["exec", runId, "--allow-risky", "--", ...slowWrite]);
    await written(mark);
    child.kill("SIGKILL");
    await once(child, "close");
    desk.thehood(["continue", runId]);
    expect(readFileSync(mark, "utf8")).toBe("once\n");
    const { events } = desk.thehood(["logs", runId, "--json"]).json<{
      events: { event: { type: string; outcome?: string; why?: string } }[];
    }>();
    const ends = events.filter(({ event }) => event.type === "side_completed").map(({ event }) => event);
    expect(ends).toMatchObject([{ outcome: "failed", why: expect.stringContaining("unknown") }]);
    expect(events.some(({ event }) => event.type === "command_begun")).toBe(true);
  });
});
