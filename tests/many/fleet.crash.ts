// Four workers on one database, and everything that can happen to them: killed, frozen and woken, the database restarted,
// the line cut. Every run ends as it would have ended undisturbed, and no directive is sent twice.
import process from "node:process";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { fixing } from "../cli/program.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { end, endWorkers, handOver, pushedOrigin, type Machine } from "./fleet-scene.ts";

const runs = Number(process.env["THEHOOD_FLEET_RUNS"] ?? 200);
const seed = Number(process.env["THEHOOD_FLEET_SEED"] ?? 1);

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server.remove());
afterEach(endWorkers);

/** A small generator, so that a seed gives the same troubles again. */
function chance(from: number): (below: number) => number {
  let state = from;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Row {
  readonly runId: string;
  readonly state: string;
}

const listed = (here: Machine): readonly Row[] =>
  here.ask("runs", "--limit", "1000", "--json").json<{ runs: Row[] }>().runs;

it("[B-22] 0 lost, 0 doubled, 0 stuck", async () => {
  const proxy = await cuttingProxy(server.port);
  const { here } = await pushedOrigin(server, proxy.port);
  for (let count = 0; count < runs; count += 1) handOver(here, fixing);
  const draw = chance(seed);
  const workers = Array.from({ length: 4 }, () => here.worker());
  for (;;) {
    const rows = listed(here);
    const waiting = rows.filter(({ state }) => state === "awaiting_approval");
    // A call that was out when its machine died waits for a person, who sends it again.
    for (const { runId } of waiting.slice(0, 3))
      here.ask("approve", runId, "--retry", "--no-continue", "--json");
    for (const { runId } of waiting.slice(0, 3)) here.ask("continue", runId, "--max-cycles", "1", "--json");
    if (rows.every(({ state }) => ["completed", "failed", "aborted"].includes(state))) break;
    const which = draw(workers.length);
    const { child } = workers[which] ?? here.worker();
    const trouble = draw(12);
    if (trouble === 0) {
      await end(child, "SIGKILL");
      workers[which] = here.worker();
    } else if (trouble === 1) {
      child.kill("SIGSTOP");
      await pause(20_000);
      child.kill("SIGCONT");
    } else if (trouble === 2) {
      await server.stop("SIGQUIT");
      await server.start();
    } else if (trouble === 3) {
      proxy.close();
      await pause(500 + draw(3_000));
      proxy.open();
    }
    await pause(1_000);
  }
  expect(listed(here).filter(({ state }) => state !== "completed")).toEqual([]);
  expect(listed(here)).toHaveLength(runs);
  expect(here.ask("log", "verify").code).toBe(0);
  await proxy.remove();
});
