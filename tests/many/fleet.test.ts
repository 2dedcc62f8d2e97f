// The fleet with real processes: a run is handed over, a worker on another machine does all of it, and a worker that is
// killed loses nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fixing } from "../cli/program.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { end, endWorkers, handOver, lastEvent, pushedOrigin, stateOf, until } from "./fleet-scene.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server.remove());

afterEach(endWorkers);

describe("[B-22] the fleet", () => {
  it("advances a run on another machine, to the same verified end, and drains on SIGTERM", async () => {
    const { here } = await pushedOrigin(server);
    const { runId } = handOver(here, fixing);
    expect(here.ask("workers", "--json").json()).toMatchObject({ waiting: 1, active: 0, workers: [] });

    const { child, lines } = here.worker("--health", "0");
    const state = await until(
      () => {
        const now = stateOf(here, runId);
        return ["completed", "failed", "aborted"].includes(now) && now;
      },
      () => JSON.stringify(lines.slice(-5)),
    );
    expect(state, JSON.stringify(lines)).toBe("completed");
    expect(here.ask("report", runId).out).toContain("npm run test");
    expect(here.ask("log", "verify").code).toBe(0);
    // The work is in the store; the checkout here was not touched.
    expect(here.desk.repo.git("status", "--porcelain")).toBe("");

    const ready = lines.find(({ event }) => event === "worker ready");
    const health = String(ready?.["health"]);
    expect(await (await fetch(`${health}/readyz`)).text()).toBe("ready\n");
    expect(await (await fetch(`${health}/metrics`)).text()).toContain("thehood_worker_runs_total");
    await end(child, "SIGTERM");
    expect(lines.at(-1)).toMatchObject({ event: "worker left", failed: 0 });
    expect(here.ask("workers", "--json").json()).toMatchObject({ workers: [], waiting: 0, active: 0 });
  });

  it("a worker that is killed with a call out loses nothing: another takes the run over and asks, and nothing is sent twice by itself", async () => {
    const { here } = await pushedOrigin(server);
    const { runId } = handOver(here, { roles: { ...fixing.roles, planner: [{ delayMs: 60_000 }, {}] } });
    const first = here.worker();
    await until(
      () => lastEvent(here, runId) === "provider_wait_posted",
      () => JSON.stringify(first.lines.slice(-5)),
    );
    await end(first.child, "SIGKILL");
    const second = here.worker();
    await until(
      () => stateOf(here, runId) === "awaiting_approval",
      () => JSON.stringify(second.lines.slice(-5)),
    );
    const done = here.ask("approve", runId, "--retry", "--json");
    expect(stateOf(here, runId), done.out + done.err + JSON.stringify(second.lines)).toBe("completed");
    expect(here.ask("log", "verify").code).toBe(0);
  });

  it("a worker that drains hands its run over, and the next one takes it to its end", async () => {
    const { here } = await pushedOrigin(server);
    const [edit] = fixing.roles.implementer;
    const { runId } = handOver(here, { roles: { implementer: [{ ...edit, delayMs: 3_000 }] } });
    const first = here.worker();
    await until(
      () => stateOf(here, runId) === "implementing",
      () => JSON.stringify(first.lines.slice(-5)),
    );
    await end(first.child, "SIGTERM");
    const second = here.worker();
    const ends = ["completed", "failed", "aborted", "awaiting_approval"];
    await until(
      () => ends.includes(stateOf(here, runId)),
      () => JSON.stringify(second.lines.slice(-5)),
    );
    expect(stateOf(here, runId), JSON.stringify([first.lines, second.lines])).toBe("completed");
  });

  it("refuses a base that no worker could have, and a fleet without a shared store", async () => {
    const { here } = await pushedOrigin(server);
    here.desk.repo.git("commit", "-q", "--allow-empty", "-m", "not pushed");
    const made = here.ask("run", "x", "--remote", "--team", "stub", "--json");
    expect([made.code, made.out + made.err]).toEqual([2, expect.stringContaining("was not pushed")]);
    const alone = here.desk.thehood(["workers"]);
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining("THEHOOD_DATABASE_URL")]);
  });
});
