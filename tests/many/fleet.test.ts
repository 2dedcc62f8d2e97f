// The fleet with real processes: a run is handed over, a worker on another machine does all of it, and a worker that is
// killed loses nothing.
import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bin, fixing, openTestDesk, stub, type Desk } from "../cli/program.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { plainGit } from "../support/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server.remove());

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }
});

interface Machine {
  readonly desk: Desk;
  readonly env: NodeJS.ProcessEnv;
  ask(...args: string[]): ReturnType<Desk["thehood"]>;
  worker(...args: string[]): { readonly child: ChildProcess; readonly lines: Record<string, unknown>[] };
}

/** A clone of `origin` with a home of its own. */
function machine(url: string, origin: string): Machine {
  const desk = openTestDesk();
  desk.repo.git("remote", "add", "origin", origin);
  const env = { THEHOOD_DATABASE_URL: url };
  return {
    desk,
    env,
    ask: (...args) => desk.thehood(args, { env }),
    worker: (...args) => {
      const home = tempFolder("worker-home-");
      const child = spawn(process.execPath, [bin, "worker", ...args], {
        cwd: home,
        env: { PATH: process.env["PATH"], HOME: home, NO_COLOR: "1", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      started.push(child);
      const lines: Record<string, unknown>[] = [];
      let rest = "";
      child.stderr.on("data", (bytes: Buffer) => {
        const parts = (rest + bytes.toString("utf8")).split("\n");
        rest = parts.pop() ?? "";
        for (const line of parts) lines.push(line.startsWith("{") ? JSON.parse(line) : { line });
      });
      return { child, lines };
    },
  };
}

async function until<T>(ask: () => T | undefined | false, what: () => string): Promise<T> {
  for (let tries = 0; tries < 250; tries += 1) {
    const found = ask();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(what());
}

async function pushedOrigin(): Promise<{ url: string; origin: string; here: Machine }> {
  const url = await server.database();
  const origin = tempFolder("origin-");
  plainGit(origin, "init", "-q", "--bare", "-b", "main");
  const here = machine(url, origin);
  here.desk.repo.git("push", "-q", "origin", "HEAD:main");
  here.desk.repo.git("fetch", "-q", "origin");
  return { url, origin, here };
}

function handOver(here: Machine, script: unknown): { runId: string } {
  const words = ["run", "Fix add", "--remote", "--team", "stub", "--approvals", "autopilot", "--json"];
  return here.ask(...words, ...stub(script)).json<{ runId: string }>();
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}

const lastEvent = (here: Machine, runId: string) =>
  here.ask("status", runId, "--json").json<{ recent: { type: string }[] }>().recent.at(-1)?.type;

const stateOf = (here: Machine, runId: string) =>
  here.ask("status", runId, "--json").json<{ state: string }>().state;

describe("[B-22] the fleet", () => {
  it("advances a run on another machine, to the same verified end, and drains on SIGTERM", async () => {
    const { here } = await pushedOrigin();
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
    const { here } = await pushedOrigin();
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
    const { here } = await pushedOrigin();
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
    const { here } = await pushedOrigin();
    here.desk.repo.git("commit", "-q", "--allow-empty", "-m", "not pushed");
    const made = here.ask("run", "x", "--remote", "--team", "stub", "--json");
    expect([made.code, made.out + made.err]).toEqual([2, expect.stringContaining("was not pushed")]);
    const alone = here.desk.thehood(["workers"]);
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining("THEHOOD_DATABASE_URL")]);
  });
});
