// The fleet with real processes: a run is handed over, a worker on another machine does all of it, and a worker that is
// killed loses nothing.
import { readFileSync, renameSync } from "node:fs";
import { PgBoss } from "pg-boss";
import { describe, expect, it } from "vitest";
import { openFleetTables } from "../../src/fleet/tables.ts";
import type { FleetView } from "../../src/operations/context/index.ts";
import { worker } from "../../src/operations/fleet/worker.ts";
import { fixing, stub } from "../cli/program.ts";
import { end, handOver, lastEvent, postgresForTests, pushedOrigin, stateOf, until } from "./fleet-scene.ts";

const server = postgresForTests();

describe("[B-22] the fleet", () => {
  it("advances a run on another machine, to the same verified end, and drains on SIGTERM", async () => {
    const { here } = await pushedOrigin(server());
    const { runId } = handOver(here, fixing);
    expect(here.ask("workers", "--json").json()).toMatchObject({ waiting: 1, active: 0, workers: [] });

    const { child, lines } = here.worker("--health", "0", "--per-repository", "1");
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
    // A person takes it over, by the judge and the hand of any patch.
    const taken = here.ask("take", runId, "--json");
    expect([taken.code, taken.json()], taken.err).toMatchObject([0, { applied: true }]);
    expect(here.desk.repo.git("status", "--porcelain").trim()).toBe("M src/add.js");

    const ready = lines.find(({ event }) => event === "worker ready");
    const health = String(ready?.["health"]);
    expect(await (await fetch(`${health}/readyz`)).text()).toBe("ready\n");
    expect(await (await fetch(`${health}/metrics`)).text()).toContain("thehood_worker_runs_total");
    await end(child, "SIGTERM");
    expect(lines.at(-1)).toMatchObject({ event: "worker left", failed: 0 });
    expect(here.ask("workers", "--json").json()).toMatchObject({ workers: [], waiting: 0, active: 0 });
  });

  it("a worker that is killed with a call out loses nothing: another takes the run over and asks, and nothing is sent twice by itself", async () => {
    const { here } = await pushedOrigin(server());
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

  it("a run that no worker can take up says why, in the worker's log and to a person, until a try goes well", async () => {
    const { here, origin } = await pushedOrigin(server());
    const words = ["run", "Fix add", "--remote", "--team", "stub", "--approvals", "autopilot"];
    const handed = here.ask(...words, ...stub(fixing));
    const runId = handed.out.trim();
    expect(handed.err).toContain(`The run waits for a worker of the shared store. Follow it: thehood watch\n`);
    const waits = "waits for a worker of the shared store; none is there";
    expect(here.ask("status", runId).out).toContain(waits);
    expect(here.ask("status", runId, "--json").json()).toMatchObject({
      monitor: { doing: waits },
      next: [{ command: "thehood workers" }],
    });
    expect(here.ask("show", runId).out).toContain(waits);
    expect(here.ask("runs", "--json").json()).toMatchObject({
      runs: [{ doing: waits, next: "thehood workers" }],
    });
    renameSync(origin, `${origin}.away`);
    const { lines } = here.worker();
    await until(
      () => here.ask("workers", "--json").json<FleetView>().troubles.length === 1,
      () => JSON.stringify(lines.slice(-5)),
    );
    const [trouble] = here.ask("workers", "--json").json<FleetView>().troubles;
    expect(trouble).toMatchObject({
      runId,
      failure: { message: expect.stringContaining("git fetch failed") },
    });
    const left = await until(
      () => lines.find(({ event }) => event === "run left"),
      () => JSON.stringify(lines.slice(-5)),
    );
    expect(left).toMatchObject({ failure: trouble?.failure });
    expect(here.ask("workers").out).toMatch(new RegExp(`✘ ${runId} .*\n.*git fetch failed`));
    // Between two tries no worker holds it.
    await until(
      () => /waits for a worker .* failed: .*git fetch failed/s.test(here.ask("status", runId, "--json").out),
      () => here.ask("status", runId, "--json").out,
    );
    renameSync(`${origin}.away`, origin);
    await until(
      () => stateOf(here, runId) === "completed",
      () => JSON.stringify(lines.slice(-5)),
    );
    await until(
      () => here.ask("workers", "--json").json<FleetView>().troubles.length === 0,
      () => JSON.stringify(lines.slice(-5)),
    );
  });

  it("a worker that drains hands its run over, and the next one takes it to its end", async () => {
    const { here } = await pushedOrigin(server());
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

  it("advances one run as a container job does it, also without any input, and takes over only completed work", async () => {
    const { here } = await pushedOrigin(server());
    const { runId } = handOver(here, fixing);
    const early = here.ask("take", runId, "--json");
    expect([early.code === 0, early.out + early.err]).toEqual([false, expect.stringContaining("is not completed")]);
    const done = here.ask("worker", "--run", runId, "--once", "--json");
    expect([done.code, done.json()], done.err).toMatchObject([0, { runId, stop: "terminal" }]);
    expect(stateOf(here, runId)).toBe("completed");
    const none = here.ask("worker", "--run", "run_nobody", "--once");
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("not a run of the fleet")]);
  });

  it("finds a run that was noted and never offered, because the process died in between", async () => {
    const { here, url } = await pushedOrigin(server());
    const { runId } = handOver(here, fixing);
    await server().query("DELETE FROM thehood_queue.job", url);
    await server().query("UPDATE thehood.remote_runs SET made_at = now() - interval '1 minute'", url);
    const { lines } = here.worker();
    await until(
      () => stateOf(here, runId) === "completed",
      () => JSON.stringify(lines.slice(-5)),
    );
    expect(stateOf(here, runId)).toBe("completed");
  });

  it("refuses a base that no worker could have, and a fleet without a shared store", async () => {
    const { here } = await pushedOrigin(server());
    here.desk.repo.git("commit", "-q", "--allow-empty", "-m", "not pushed");
    const made = here.ask("run", "x", "--remote", "--team", "stub", "--json");
    expect([made.code, made.out + made.err]).toEqual([2, expect.stringContaining("was not pushed")]);
    const alone = here.desk.thehood(["workers"]);
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining("THEHOOD_DATABASE_URL")]);
  });

  it("starts a run for each tick of a schedule, once however often the tick comes, and refuses invalid times", async () => {
    const { here, url } = await pushedOrigin(server());
    const wrong = here.ask("schedule", "61 * * * *", "Fix add", "--json");
    expect([wrong.code, wrong.out + wrong.err]).toEqual([2, expect.stringContaining("cannot be read")]);
    const zone = here.ask("schedule", "0 3 * * *", "Fix add", "--zone", "Nowhere/Else", "--json");
    expect(zone.code, zone.out).toBe(2);
    const words = ["--team", "stub", "--approvals", "autopilot", ...stub(fixing), "--json"];
    const made = here.ask("schedule", "0 3 * * *", "Fix add", "--zone", "Europe/Berlin", ...words);
    expect(made.code, made.out + made.err).toBe(0);
    const [known] = here.ask("schedules", "--json").json<{ schedules: { key: string }[] }>().schedules;
    expect(known).toMatchObject({ cron: "0 3 * * *", timezone: "Europe/Berlin", goal: "Fix add" });

    // The clock is not waited for: the tick is told as the queue would tell it, twice by the same job.
    const boss = new PgBoss({
      connectionString: url,
      schema: "thehood_queue",
      supervise: false,
      schedule: false,
    });
    boss.on("error", () => undefined);
    await boss.start();
    const [schedule] = await boss.getSchedules("tick");
    await boss.send("tick", schedule?.data ?? {});
    const { lines } = here.worker();
    const ended = await until(
      () =>
        here
          .ask("runs", "--json")
          .json<{ runs: { state: string }[] }>()
          .runs.find(({ state }) => state === "completed"),
      () => JSON.stringify(lines.slice(-5)),
    );
    expect(ended).toMatchObject({ state: "completed" });
    await boss.stop();
    const tables = await openFleetTables({ url, team: undefined });
    expect((await Promise.all([1, 2, 3].map(() => tables.firstOf("one job")))).filter(Boolean)).toHaveLength(1);
    await tables.close();
    expect(here.ask("runs", "--json").json<{ runs: unknown[] }>().runs).toHaveLength(1);
    expect(here.ask("schedules", "--remove", known?.key ?? "", "--json").json()).toMatchObject({
      schedules: [],
    });
    expect(here.ask("schedules", "--remove", "none", "--json").code).toBe(2);
  });
});

describe("[B-22] the files for deploying", () => {
  const read = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8");

  it.each(["compose.yaml", "kubernetes/worker.yaml", "kubernetes/run-job.yaml"])(
    "%s is indented by twos and has no tab",
    (name) => {
      const lines = read(name).split("\n");
      expect(lines.filter((line) => line.includes("\t") || /^(?:  )* [^ ]/.test(line))).toEqual([]);
    },
  );

  it("call the program with words that it has, keep the address in a secret, and never try a run again by themselves", () => {
    const job = read("kubernetes/run-job.yaml");
    expect(job).toMatch(/backoffLimit: 0/);
    expect(job).toContain('["worker", "--run", "RUN_ID", "--once"]');
    for (const name of ["kubernetes/worker.yaml", "kubernetes/run-job.yaml"]) {
      expect(read(name)).toContain("secretKeyRef");
      expect(read(name)).not.toMatch(/postgres:\/\//);
    }
    expect(read("Dockerfile")).toMatch(/^USER 10001$/m);
    const { grace } = worker.input;
    expect(grace).toBeDefined();
  });
});
