// What an operator or a machine may do to a fleet beside dying: the queue dropped, a clock that is wrong.
import { expect, it } from "vitest";
import { fixing } from "../cli/program.ts";
import { handOver, postgresForTests, pushedOrigin, stateOf, until } from "./fleet-scene.ts";

const server = postgresForTests();

/** Options that set the clock of a program wrong, without a file: checks have these options too and see no file of ours. */
const wrongClock = (byMs: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${byMs};`)}`;

it("[B-22] a queue that was dropped under a worker is made anew by the next one, and no run is lost", async () => {
  const { here, url } = await pushedOrigin(server());
  const first = here.worker("--health", "0");
  await until(
    () => first.lines.some(({ event }) => event === "worker ready"),
    () => JSON.stringify(first.lines),
  );
  const { runId } = handOver(here, { roles: { ...fixing.roles, planner: [{ delayMs: 4_000 }, {}] } });
  await server().query("DROP SCHEMA thehood_queue CASCADE", url);
  await server().query("UPDATE thehood.remote_runs SET made_at = now() - interval '1 minute'", url);
  await until(
    () => first.child.exitCode !== null,
    () => JSON.stringify(first.lines.slice(-8)),
  );
  expect(first.child.exitCode).not.toBe(0);
  expect(JSON.stringify(first.lines)).toContain("Start the worker again");
  const second = here.worker();
  await until(
    () => stateOf(here, runId) === "completed",
    () => JSON.stringify([stateOf(here, runId), second.lines.slice(-8)]),
  );
  expect(here.ask("log", "verify").code).toBe(0);
});

it.each([-3_600_000, 3_600_000, 86_400_000 * 365])(
  "[B-22] a worker whose clock is wrong by %d ms holds its lease, and brings a run to its end",
  async (byMs) => {
    const { here } = await pushedOrigin(server());
    const { runId } = handOver(here, fixing);
    const { lines } = here.workerWith({ NODE_OPTIONS: wrongClock(byMs) });
    await until(
      () => lines.some(({ event }) => event === "run started"),
      () => JSON.stringify(lines.slice(-8)),
    );
    // This one has the right time, and would take the run if the lease looked old.
    const other = here.worker();
    await until(
      () => stateOf(here, runId) === "completed",
      () => JSON.stringify([stateOf(here, runId), lines.slice(-8), other.lines.slice(-8)]),
    );
    expect(here.ask("log", "verify").code).toBe(0);
    expect([...lines, ...other.lines].filter(({ event }) => event === "run started")).toHaveLength(1);
  },
);
