// Everything that can happen to a fleet, in an order that a seed repeats: workers and their processes are killed, frozen and
// woken, the database goes and comes, the line to it is cut, reset, slow or silent.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import type { RunEvent, Store } from "../../src/core/contract/index.ts";
import { createRunReader } from "../../src/runtime/engine/index.ts";
import { openGates } from "../../src/core/machine/index.ts";
import { openSharedStore } from "../../src/platform/store/postgres/index.ts";
import { bin, stub } from "../cli/program.ts";
import { cuttingProxy, type CuttingProxy } from "../support/cutting-proxy.ts";
import type { PostgresServer } from "../support/postgres.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { end, pushedOrigin, type Machine, type Worker } from "./fleet-scene.ts";

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A small generator, so that a seed gives the same troubles again. */
export function chance(from: number): (below: number) => number {
  let state = from;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  };
}

export interface Scene {
  readonly here: Machine;
  readonly server: PostgresServer;
  readonly proxy: CuttingProxy;
  readonly store: Store<RunEvent>;
  readonly workers: Worker[];
  /** The arguments of each worker. */
  readonly words: readonly string[];
  /** Each run writes a line into a file of its own here, outside of everything that is kept or moved along. */
  readonly effects: string;
}

/** A line that can be cut, and so many workers behind it. */
export async function openScene(server: PostgresServer, count: number, ...words: string[]): Promise<Scene> {
  const proxy = await cuttingProxy(server.port);
  const { here, url } = await pushedOrigin(server, proxy.port);
  const store = await openSharedStore<RunEvent>({
    url,
    cacheDir: tempFolder("chaos-cache-"),
    patience: 60_000,
  });
  const workers = Array.from({ length: count }, () => here.worker(...words));
  return { here, server, proxy, store, workers, words, effects: tempFolder("chaos-effects-") };
}

export async function closeScene({ store, proxy }: Scene): Promise<void> {
  await store.close();
  await proxy.remove();
}

/** The program as a person starts it, without blocking this process: the line to the database runs through it. */
export function ask(here: Machine, ...words: string[]): Promise<string> {
  const env = { ...here.desk.env, ...here.env };
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...words], { cwd: here.desk.repo.dir, env }, (_error, out, err) =>
      resolve(out === "" ? err : out),
    );
  });
}

/** A worker whose edit is an effect that can be counted; it takes a moment, so that trouble meets it. */
function counting(file: string, delayMs: number): unknown {
  const fixed = { op: "write", path: "src/add.js", text: "export const add = (a, b) => a + b;\n" };
  const counted = { op: "append", path: `${"../".repeat(40)}${relative("/", file)}`, text: "once\n" };
  const step = { edits: [fixed, counted], payload: { changedFiles: ["src/add.js"] }, delayMs };
  return { roles: { implementer: [step] }, repeatLast: true };
}

/** Hands a run over; a person whose command failed looks, and asks again when there is no run. */
export async function handOver(scene: Scene, name: string, delayMs: number): Promise<string> {
  const { here, effects, store } = scene;
  const script = stub(counting(join(effects, name), delayMs));
  const words = ["run", `Fix add ${name}`, "--remote", "--team", "stub", "--approvals", "autopilot", "--json"];
  for (let asked = 0; ; asked += 1) {
    const out = await ask(here, ...words, ...script);
    const [, runId] = /"runId": ?"(run_[^"]+)"/.exec(out) ?? [];
    if (runId !== undefined) return runId;
    if (!out.includes('"store_unreachable"') || asked > 10) throw new Error(out);
    const made = (await store.log.list({ limit: 1_000 })).find(({ goal }) => goal === `Fix add ${name}`);
    if (made) return made.runId;
  }
}

type Trouble = (scene: Scene, draw: (below: number) => number) => Promise<string>;

const frozenMs = 18_000;

function processOf(worker: Worker): number | undefined {
  const left = new Set(worker.lines.filter(({ event }) => event === "run left").map(({ runId }) => runId));
  const started = worker.lines.findLast(({ event }) => event === "run started");
  return started && !left.has(started["runId"]) ? Number(started["pid"]) : undefined;
}

/** A process may have ended by itself meanwhile. */
function signal(pid: number | undefined, name: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(pid, name);
  } catch {
    return false;
  }
}

async function freeze(pids: readonly (number | undefined)[]): Promise<void> {
  for (const pid of pids) signal(pid, "SIGSTOP");
  await pause(frozenMs);
  for (const pid of pids) signal(pid, "SIGCONT");
}

async function during(proxy: CuttingProxy, line: Parameters<CuttingProxy["set"]>[0], ms: number): Promise<void> {
  proxy.set(line);
  await pause(ms);
  proxy.open();
}

const troubles: Readonly<Record<string, Trouble>> = {
  "worker killed": async ({ workers, here, words }, draw) => {
    const which = draw(workers.length);
    const { child } = workers[which] as Worker;
    await end(child, "SIGKILL");
    workers[which] = here.worker(...words);
    return String(which);
  },
  "process killed": async ({ workers }, draw) => {
    const pid = processOf(workers[draw(workers.length)] as Worker);
    return signal(pid, "SIGKILL") ? String(pid) : "none";
  },
  "worker frozen": async ({ workers }, draw) => {
    const { child } = workers[draw(workers.length)] as Worker;
    await freeze([child.pid]);
    return String(child.pid);
  },
  "process frozen": async ({ workers }, draw) => {
    const pid = processOf(workers[draw(workers.length)] as Worker);
    if (pid === undefined) return "none";
    await freeze([pid]);
    return String(pid);
  },
  "both frozen": async ({ workers }, draw) => {
    const worker = workers[draw(workers.length)] as Worker;
    const pids = [worker.child.pid, processOf(worker)];
    await freeze(pids);
    return pids.join(" ");
  },
  "database killed": async ({ server }) => {
    await server.stop("SIGQUIT");
    await server.start();
    return "";
  },
  "database restarted": async ({ server }, draw) => {
    await server.stop();
    await pause(draw(4_000));
    await server.start();
    return "";
  },
  "line cut": async ({ proxy }, draw) => {
    await during(proxy, "closed", 500 + draw(6_000));
    return "";
  },
  "line reset": async ({ proxy }) => {
    proxy.reset();
    return "";
  },
  "line slow": async ({ proxy }, draw) => {
    await during(proxy, 50 + draw(400), 4_000);
    return "";
  },
  "line silent": async ({ proxy }, draw) => {
    await during(proxy, "silent", 1_000 + draw(12_000));
    return "";
  },
};

const ofLine = (name: string): boolean => /^(?:line|database) /.test(name);
/** Troubles of the line and the database, and troubles of processes: one of each kind may come at the same time. */
export const kindsOfTrouble: readonly (readonly string[])[] = [
  Object.keys(troubles).filter(ofLine),
  Object.keys(troubles).filter((name) => !ofLine(name)),
];

/** What a supervisor does: a worker that left by itself, because it found no database at its start, is started again. */
export function supervise({ workers, here, words }: Scene, tell: (line: string) => void): void {
  for (const [which, { child, lines }] of workers.entries()) {
    if (child.exitCode === null && child.signalCode === null) continue;
    tell(`worker ${which} left: ${JSON.stringify(lines.slice(-2)).slice(0, 300)}`);
    workers[which] = here.worker(...words);
  }
}

const ended = ["completed", "failed", "aborted"];

interface Looked {
  readonly open: number;
  readonly states: Readonly<Record<string, number>>;
}

/** A call that was out when its machine died waits for a person, who has it sent again. No other question may be asked. */
export function createPerson({ here, store }: Scene): () => Promise<Looked> {
  const busy = new Set<string>();
  const read = createRunReader(store.log);
  const answer = async (runId: string): Promise<void> => {
    const [gate] = openGates(await read(runId));
    if (!gate) return;
    if (gate.kind !== "provider_in_doubt") throw new Error(`${runId} asks: ${JSON.stringify(gate)}`);
    await ask(here, "approve", runId, "--retry", "--shown", gate.subject.sha256, "--json");
  };
  let trouble: unknown;
  return async () => {
    if (trouble !== undefined) throw trouble;
    const rows = await store.log.list({ limit: 1_000 });
    for (const { runId, state } of rows) {
      if (state !== "awaiting_approval" || busy.has(runId) || busy.size >= 4) continue;
      busy.add(runId);
      answer(runId)
        .catch((error: unknown) => (trouble = error))
        .finally(() => busy.delete(runId));
    }
    const states: Record<string, number> = {};
    for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
    return { open: rows.filter(({ state }) => !ended.includes(state)).length, states };
  };
}

/** Lets troubles come until so many were met, or nothing is left to be troubled. */
export async function trouble(
  scene: Scene,
  {
    seed,
    most,
    open,
    tell,
    only,
    among = Object.keys(troubles),
  }: {
    seed: number;
    most: number;
    open(): Promise<number>;
    tell(line: string): void;
    /** These, in this order. */
    only?: readonly string[];
    /** These, as the seed draws them. */
    among?: readonly string[];
  },
): Promise<void> {
  const draw = chance(seed);
  for (let count = 0; count < most && (await open()) > 0; count += 1) {
    const name = (only ? only[count % only.length] : among[draw(among.length)]) ?? "";
    supervise(scene, tell);
    tell(`${name} ${(await troubles[name]?.(scene, draw)) ?? ""}`);
    await pause(500 + draw(2_000));
  }
}

export interface Ending {
  readonly state: string;
  /** The patch that was accepted. */
  readonly patch: string;
  /** Calls that were sent more often than a person wished. */
  readonly doubled: readonly string[];
}

/** The last events of a run: why it ended as it did. */
export async function lastEvents({ store }: Scene, runId: string): Promise<readonly string[]> {
  const events = await store.log.read(runId);
  return events.slice(-12).map(({ event }) => JSON.stringify(event).slice(0, 1_500));
}

/** How a run ended, and whether anything was done more often than a person asked for. */
export async function endingOf({ store, effects }: Scene, runId: string, name: string): Promise<Ending> {
  const events = (await store.log.read(runId)).map(({ event }) => event);
  const of = <T extends RunEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
  const doubled: string[] = [];
  for (const type of ["provider_wait_posted", "agent_response"] as const) {
    const ids = of(type).map(({ callId }) => callId);
    doubled.push(...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${type} ${id}`));
  }
  const retries = of("approval_recorded").filter(({ approval }) => approval.answer === "retry").length;
  const file = join(effects, name);
  const times = existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
  if (times < 1 || times > 1 + retries) doubled.push(`${times} effects, ${retries} sent again by a person`);
  const patch = of("isolated_patch_captured").at(-1);
  const row = await store.log.row(runId);
  return {
    state: row?.state ?? "lost",
    patch: `${patch?.patch?.patchSha256} ${patch?.patch?.tree}`,
    doubled,
  };
}
