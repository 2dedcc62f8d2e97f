// A worker dies with a run in its hands: how long it takes until another one has it. The time is printed, not judged.
import process from "node:process";
import { expect, it } from "vitest";
import { fixing } from "../cli/program.ts";
import { end, handOver, lastEvent, postgresForTests, pushedOrigin, stateOf, until } from "./fleet-scene.ts";

const server = postgresForTests();

it("[B-22] a killed worker's run is taken over by the other one, by the heartbeat of the job and the time of the lease", async () => {
  const { here } = await pushedOrigin(server());
  const taken: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { runId } = handOver(here, { roles: { ...fixing.roles, planner: [{ delayMs: 60_000 }, {}] } });
    const first = here.worker();
    await until(
      () => lastEvent(here, runId) === "provider_wait_posted",
      () => JSON.stringify(first.lines.slice(-5)),
    );
    const second = here.worker();
    await until(
      () => second.lines.some(({ event }) => event === "worker ready"),
      () => JSON.stringify(second.lines.slice(-5)),
    );
    const killed = Date.now();
    await end(first.child, "SIGKILL");
    await until(
      () => second.lines.some(({ event, runId: id }) => event === "run started" && id === runId),
      () => JSON.stringify(second.lines.slice(-5)),
    );
    const claimed = Date.now();
    await until(
      () => stateOf(here, runId) === "awaiting_approval",
      () => JSON.stringify(second.lines.slice(-5)),
    );
    taken.push(Date.now() - killed);
    process.stderr.write(`claimed ${claimed - killed} ms after the kill, went on ${Date.now() - killed} ms after it\n`);
    await end(second.child, "SIGKILL");
    expect(here.ask("abort", runId, "--json").code).toBe(0);
  }
  expect(taken).toHaveLength(3);
});
