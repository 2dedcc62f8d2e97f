// What an operator or a machine may do to a fleet beside dying: the queue dropped, a clock that is wrong.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixing } from "../cli/program.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { handOver, postgresForTests, pushedOrigin, stateOf, until } from "./fleet-scene.ts";

const server = postgresForTests();

/** A file that sets the clock of a program wrong. */
function wrongClock(byMs: number): string {
  const file = join(tempFolder("clock-"), "clock.cjs");
  writeFileSync(file, `const now = Date.now; Date.now = () => now() + ${byMs};\n`);
  return file;
}

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

it.each([-3_600_000, 3_600_000])(
  "[B-22] a worker whose clock is wrong by %d ms holds its lease, and brings a run to its end",
  async (byMs) => {
    const { here } = await pushedOrigin(server());
    const { runId } = handOver(here, fixing);
    const other = here.worker();
    const { lines } = here.workerWith({ NODE_OPTIONS: `--require=${wrongClock(byMs)}` });
    await until(
      () => stateOf(here, runId) === "completed",
      () => JSON.stringify([stateOf(here, runId), lines.slice(-8), other.lines.slice(-8)]),
    );
    expect(here.ask("log", "verify").code).toBe(0);
    expect([...lines, ...other.lines].filter(({ event }) => event === "run started")).toHaveLength(1);
  },
);

it("[B-22] a worker whose clock is a year ahead stops at one question to a person, and nothing is lost", async () => {
  const { here } = await pushedOrigin(server());
  const { runId } = handOver(here, fixing);
  const { lines } = here.workerWith({ NODE_OPTIONS: `--require=${wrongClock(86_400_000 * 365)}` });
  await until(
    () => stateOf(here, runId) === "awaiting_approval",
    () => JSON.stringify([stateOf(here, runId), lines.slice(-8)]),
  );
  const { gates } = here.ask("show", runId, "--json").json<{ gates: { kind: string }[] }>();
  expect(gates).toHaveLength(1);
  expect(here.ask("log", "verify").code).toBe(0);
});
