// kill -9 of the server at random moments while runs are started and asked about: no run is lost, none is damaged.
import { describe, expect, it } from "vitest";
import { call, connect, dataOf, hello, openBench, rawClient, settled, toolCall, type Status } from "./client.ts";

const kills = 40;

describe("the MCP server under kill -9", () => {
  it(`loses and damages no run in ${kills} kills`, async () => {
    const bench = openBench();
    const told = new Set<string>();
    for (let kill = 0; kill < kills; kill += 1) {
      const raw = rawClient(bench);
      raw.send(hello());
      raw.send(toolCall("start", "plan", { goal: `plan ${kill}`, ...(kill % 2 === 0 ? { wait_seconds: 60 } : {}) }));
      raw.send(toolCall("list", "runs"));
      const answered = raw
        .next(({ id }) => id === "start")
        .then(
          (message) => void told.add(dataOf<Status>(message).runId),
          () => undefined,
        );
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 900));
      raw.child.kill("SIGKILL");
      await raw.exited();
      await answered;
    }
    const client = await connect(bench);
    const { data } = await call<{ runs: { runId: string }[] }>(client, "runs", { limit: 100 });
    const known = data.runs.map(({ runId }) => runId);
    // Whatever was answered is there.
    for (const runId of told) expect(known).toContain(runId);
    for (const runId of known) {
      await settled(client, runId);
      const done = await call<Status>(client, "continue", { run_id: runId, wait_seconds: 120 });
      expect(done.data.state).toBe("completed");
    }
    expect(known.length).toBeGreaterThan(5);
    expect(bench.thehood(["log", "verify"]).code).toBe(0);
  });
});
