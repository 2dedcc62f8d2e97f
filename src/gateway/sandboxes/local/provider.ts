// Local boxes: a process tree in namespaces of its own, with a home of its own and no network but the way to the gateway.
// Temporary files are in memory, so that the values of a session never lie on this machine's disk.
import { spawn } from "node:child_process";
import { createServer, type Server, type Socket } from "node:net";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fail, type LeaseOwner } from "../../../core/contract/index.ts";
import { detectSandbox, trustedPath } from "../../../platform/sandbox/index.ts";
import { identityOf, isAlive, timers } from "../../../platform/system/index.ts";
import { agentPort, places, type HostRule } from "../../rules/index.ts";
import { filesOver, beginHistory } from "../exec-files.ts";
import type { Box, BoxProvider, BoxSpec } from "../port.ts";
import { folderSnapshots, type FolderSnapshots, copyFolder } from "../snapshots.ts";
import { askBox, execIn, pinSocket } from "./control.ts";
import { copyConfined, boxArgs, proxyVariables } from "./args.ts";
import { createProxy } from "./proxy.ts";

export interface LocalOptions {
  readonly folder: string;
  readonly path: string;
  /** The first program of a box, as a file. */
  readonly init: string;
  /** Node on this machine. */
  readonly node: string;
  /** The agent's program; sessions without one cannot be started. */
  readonly opencode: string | undefined;
  readonly accept: (socket: Socket) => void;
  /** Hosts outside that programs in a box may reach; none: loopback only. */
  readonly hosts: readonly HostRule[];
}

/** The data by which a later process of ours finds a box again. */
interface Kept {
  readonly id: string;
  readonly run: string;
  readonly first: LeaseOwner;
}

const insidePort = 8700;
const proxyPort = 8701;
const bootMs = 15_000;
const endMs = 10_000;

export function localBoxes(options: LocalOptions): BoxProvider {
  const snapshots = folderSnapshots(join(options.folder, "snapshots"), async (from, to, left) =>
    copyConfined(await bubblewrap(options.path), from, to, left),
  );
  const folderOf = (id: string) => join(options.folder, "boxes", id);
  const doors = new Map<string, Server[]>();
  const closeDoors = (id: string): void => {
    for (const door of doors.get(id) ?? []) door.close();
    doors.delete(id);
  };

  /** The ways out of the box: to the gateway, as if connections came by its port, and to the allowed hosts. */
  const openDoors = async (id: string, run: string): Promise<void> => {
    // Another process may have taken the ways over while this one stood still.
    closeDoors(id);
    const servers: Readonly<Record<string, Server>> = {
      gateway: createServer((socket) => options.accept(socket)),
      ...(options.hosts.length === 0 ? {} : { proxy: createProxy(options.hosts) }),
    };
    for (const [name, server] of Object.entries(servers)) {
      const path = join(run, `${name}.sock`);
      rmSync(path, { force: true });
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(path, resolve);
      });
      server.unref();
    }
    doors.set(id, Object.values(servers));
  };

  const endBox = async (kept: Kept): Promise<void> => {
    if (isAlive(kept.first) === true) process.kill(kept.first.pid, "SIGKILL");
    for (const until = Date.now() + endMs; isAlive(kept.first) === true && Date.now() < until;)
      await timers.sleep(20);
    closeDoors(kept.id);
    rmSync(kept.run, { recursive: true, force: true });
    rmSync(folderOf(kept.id), { recursive: true, force: true });
  };

  const boxOf = (kept: Kept): Box => localBox(kept, folderOf(kept.id), snapshots, () => endBox(kept));

  return {
    id: "local",
    gatewayUrl: `http://127.0.0.1:${insidePort}`,
    runsAgents: true,
    async create(spec) {
      const id = `${spec.sessionId}.${spec.generation}`;
      const folder = folderOf(id);
      rmSync(folder, { recursive: true, force: true });
      await fillHome(join(folder, "home"), spec, snapshots);
      const run = mkdtempSync(join(tmpdir(), "thb-"));
      await openDoors(id, run);
      const kept = await boot(options, id, folder, run, spec.env);
      const box = boxOf(kept);
      await beginHistory(box);
      return box;
    },
    async attach(id, own) {
      const kept = keptOf(folderOf(id));
      if (!kept || isAlive(kept.first) !== true) return undefined;
      if (own) await openDoors(id, kept.run);
      return boxOf(kept);
    },
    async end(id) {
      const kept = keptOf(folderOf(id));
      if (kept) await endBox(kept);
    },
    hasSnapshot: (label) => snapshots.has(label),
    removeSnapshot: (label) => snapshots.remove(label),
  };
}

function keptOf(folder: string): Kept | undefined {
  const file = join(folder, "box.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Kept) : undefined;
}

async function fillHome(home: string, { from, source }: BoxSpec, snapshots: FolderSnapshots): Promise<void> {
  mkdirSync(join(home, ".."), { recursive: true, mode: 0o700 });
  if (from !== null) {
    if ((await snapshots.has(from)) !== "yes") fail("not_found", "The snapshot of this session is gone.");
    await copyFolder(snapshots.path(from), home, () => false);
  }
  mkdirSync(join(home, "workspace"), { recursive: true });
  if (from === null && source !== null) {
    if (!existsSync(source)) fail("invalid_input", `There is no folder ${source}.`);
    // The git folder of a worktree is elsewhere, so that its pointer leads nowhere in a box.
    const pointer = lstatSync(join(source, ".git"), { throwIfNoEntry: false })?.isFile() ?? false;
    await copyFolder(
      source,
      join(home, "workspace"),
      (path) => /^\.thehood(\/|$)/.test(path) || (pointer && path === ".git"),
    );
  }
}

async function bubblewrap(path: string): Promise<string> {
  const { kind, program, note, remedy } = await detectSandbox({ path: trustedPath(path) });
  if (kind === "bubblewrap" && program !== undefined) return program;
  return fail("provider_unavailable", note, remedy === undefined ? {} : { remedy });
}

async function boot(
  { path, init, node, opencode, hosts }: LocalOptions,
  id: string,
  folder: string,
  run: string,
  env: Readonly<Record<string, string>>,
): Promise<Kept> {
  const program = await bubblewrap(path);
  const name = init.endsWith(".ts") ? "init.ts" : "init.cjs";
  const programs = { node, [name]: init, ...(opencode === undefined ? {} : { opencode }) };
  const outside = hosts.length > 0;
  const words = boxArgs(
    { home: join(folder, "home"), run, programs },
    { ...(outside ? proxyVariables(`http://127.0.0.1:${proxyPort}`) : {}), ...env },
  );
  const ways = [`gateway=${insidePort}`, ...(outside ? [`proxy=${proxyPort}`] : [])];
  const start = ["--", "/run/thehood/node", `/run/thehood/${name}`, String(agentPort), ...ways];
  const child = spawn(program, ["--info-fd", "3", "--args", "4", ...start], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    env: {},
  });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString("utf8")));
  const over = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      reject(new Error(errors || `it ended at once (${code ?? signal})`)),
    );
  });
  over.catch(() => undefined);
  // The words travel by a pipe, so that no value of a variable shows in the process list.
  (child.stdio[4] as Writable).end(words.map((word) => `${word}\0`).join(""));
  let first: LeaseOwner | undefined;
  try {
    first = identityOf(await Promise.race([childPid(child.stdio[3] as Readable), over]));
    await Promise.race([answering(join(run, "control.sock")), over]);
    const kept: Kept = { id, run, first };
    writeFileSync(join(folder, "box.json"), JSON.stringify(kept), { mode: 0o600 });
    return kept;
  } catch (error) {
    child.kill("SIGKILL");
    if (first && isAlive(first) === true) process.kill(first.pid, "SIGKILL");
    const why = error instanceof Error ? error.message : String(error);
    return fail(
      "provider_unavailable",
      `The sandbox could not be started: ${`${errors} ${why}`.trim().slice(0, 500)}`,
    );
  } finally {
    child.removeAllListeners();
    child.unref();
    for (const pipe of [child.stderr, child.stdio[3] as Readable]) pipe?.destroy();
  }
}

/** Read to its end: bubblewrap must not meet a closed pipe before it has let the box begin. */
async function childPid(info: Readable): Promise<number> {
  let text = "";
  for await (const chunk of info as AsyncIterable<Buffer>) text += chunk.toString("utf8");
  const [, pid] = /"child-pid":\s*(\d+)/.exec(text) ?? [];
  if (pid === undefined) throw new Error("bubblewrap did not say which process it started");
  return Number(pid);
}

async function answering(socket: string): Promise<void> {
  for (const until = Date.now() + bootMs; ; await timers.sleep(20))
    try {
      await askBox(socket, "/ready", {}, 1_000);
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
}

function localBox(kept: Kept, folder: string, snapshots: FolderSnapshots, end: () => Promise<void>): Box {
  const control = pinSocket(join(kept.run, "control.sock"));
  const agent = pinSocket(join(kept.run, "agent.sock"));
  const exec: Box["exec"] = (argv, options) => execIn(control.path, argv, options);
  const home = join(folder, "home");
  const inHome = (path: string) =>
    path.startsWith(`${places.home}/`) ? [path.slice(places.home.length + 1)] : [];
  return {
    id: kept.id,
    exec,
    ...filesOver(exec),
    reach: () => ({ socketPath: agent.path }),
    // Memory files are in no copy of the home; the others are left out, and the live ones stay where they are.
    snapshot: (label, { files, values }) =>
      snapshots.take(label, home, { files: files.flatMap(inHome), values }),
    alive: async () => isAlive(kept.first) === true,
    async stop() {
      control.release();
      agent.release();
      await end();
    },
  };
}
