// Real machines of a fleet for tests: a clone with a home of its own, and workers with homes of their own.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import process from "node:process";
import { afterAll, afterEach, beforeAll } from "vitest";
import { bin, openTestDesk, stub, type Desk } from "../cli/program.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { plainGit } from "../support/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const started: ChildProcess[] = [];

async function endWorkers(): Promise<void> {
  for (const child of started.splice(0)) await end(child, "SIGKILL");
}

/** A server for the tests of one file; after each test the workers that it started are ended. */
export function postgresForTests(): () => PostgresServer {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server?.remove());
  afterEach(endWorkers);
  return () => {
    if (!server) throw new Error("The server is started before the first test.");
    return server;
  };
}

export interface Machine {
  readonly desk: Desk;
  readonly env: NodeJS.ProcessEnv;
  ask(...args: string[]): ReturnType<Desk["thehood"]>;
  worker(...args: string[]): Worker;
  /** A worker with these variables in its environment. */
  workerWith(env: NodeJS.ProcessEnv, ...args: string[]): Worker;
}

export interface Worker {
  readonly child: ChildProcess;
  readonly lines: Record<string, unknown>[];
}

/** A name of its own for the machine of a worker, where the system lets us give one: a lease then ends by its time alone. */
const ownName = (name: string): readonly string[] => ["--uts", "sh", "-c", `hostname ${name} && exec "$@"`, "sh"];
const canName = spawnSync("unshare", [...ownName("fleet-try"), "true"]).status === 0;
let named = 0;

/** A clone of `origin` with a home of its own. Its workers reach the database at `through`. */
export function machine(url: string, origin: string, through = url): Machine {
  const desk = openTestDesk();
  desk.repo.git("remote", "add", "origin", origin);
  const env = { THEHOOD_DATABASE_URL: url };
  const workerWith: Machine["workerWith"] = (variables, ...args) => {
    const home = tempFolder("worker-home-");
    const words = [process.execPath, bin, "worker", ...args];
    const [file = "", ...more] = canName ? ["unshare", ...ownName(`fleet-${(named += 1)}`), ...words] : words;
    const child = spawn(file, more, {
      cwd: home,
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        NO_COLOR: "1",
        THEHOOD_DATABASE_URL: through,
        ...variables,
      },
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
  };
  return {
    desk,
    env,
    ask: (...args) => desk.thehood(args, { env }),
    worker: (...args) => workerWith({}, ...args),
    workerWith,
  };
}

export async function until<T>(ask: () => T | undefined | false, what: () => string): Promise<T> {
  for (let tries = 0; tries < 250; tries += 1) {
    const found = ask();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(what());
}

export async function pushedOrigin(
  server: PostgresServer,
  through = server.port,
): Promise<{ url: string; origin: string; here: Machine }> {
  const url = await server.database();
  const origin = tempFolder("origin-");
  plainGit(origin, "init", "-q", "--bare", "-b", "main");
  const here = machine(url, origin, url.replace(`:${server.port}`, `:${through}`));
  here.desk.repo.git("push", "-q", "origin", "HEAD:main");
  here.desk.repo.git("fetch", "-q", "origin");
  return { url, origin, here };
}

export function handOver(here: Machine, script: unknown): { runId: string } {
  const words = ["run", "Fix add", "--remote", "--team", "stub", "--approvals", "autopilot", "--json"];
  return here.ask(...words, ...stub(script)).json<{ runId: string }>();
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}

export const lastEvent = (here: Machine, runId: string) =>
  here.ask("status", runId, "--json").json<{ recent: { type: string }[] }>().recent.at(-1)?.type;

export const stateOf = (here: Machine, runId: string) =>
  here.ask("status", runId, "--json").json<{ state: string }>().state;
