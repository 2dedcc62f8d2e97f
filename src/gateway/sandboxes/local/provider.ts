// Local sandboxes: a process tree in its own namespaces, with its own home and no network except the sockets to the gateway.
// Temporary files are in memory, so the values of a session are never on this machine's disk.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fail, type LeaseOwner } from "../../../core/contract/index.ts";
import { detectSandbox, trustedPath } from "../../../platform/sandbox/index.ts";
import { identityOf, isAlive, systemCode, timers, writeDurably } from "../../../platform/system/index.ts";
import { agentPort, places, type HostRule } from "../../rules/index.ts";
import { filesOver, beginHistory } from "../exec-files.ts";
import type { Sandbox, SandboxProvider, SandboxSpec } from "../port.ts";
import { folderSnapshots, type FolderSnapshots, copyFolder } from "../snapshots.ts";
import { requestSandbox, execIn, pinSocket } from "./control.ts";
import { copyConfined, sandboxArgs, proxyVariables } from "./args.ts";
import { createProxy } from "./proxy.ts";

export interface LocalOptions {
  readonly folder: string;
  readonly path: string;
  /** The first program of a sandbox, as a file. */
  readonly init: string;
  /** Node on this machine. */
  readonly node: string;
  /** The agent's program; without it no session starts. */
  readonly opencode: string | undefined;
  readonly accept: (socket: Socket) => void;
  /** Hosts that programs in a sandbox may reach; empty for loopback only. */
  readonly hosts: readonly HostRule[];
}

/** The record by which a later process of ours finds a sandbox again. */
interface SandboxRecord {
  readonly id: string;
  readonly run: string;
  /** Its first process; null while it is being started. */
  readonly first: LeaseOwner | null;
}

const insidePort = 8700;
const proxyPort = 8701;
const bootMs = 15_000;
const endMs = 10_000;
/** A sandbox that was being started listens within this time, or it never will. */
const unknownMs = 5_000;

export function localSandboxes(options: LocalOptions): SandboxProvider {
  const snapshots = folderSnapshots(join(options.folder, "snapshots"), async (from, to, left) =>
    copyConfined(await bubblewrap(options.path), from, to, left),
  );
  const folderOf = (id: string) => join(options.folder, "boxes", id);
  const outlets = new Map<string, Server[]>();
  const closeOutlets = (id: string): void => {
    for (const server of outlets.get(id) ?? []) server.close();
    outlets.delete(id);
  };

  /** The servers behind the sandbox's sockets: the gateway, and the proxy to the allowed hosts. */
  const openOutlets = async (id: string, run: string): Promise<void> => {
    // Another process may have replaced the sockets while this one was frozen.
    closeOutlets(id);
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
    outlets.set(id, Object.values(servers));
  };

  const endSandbox = async (record: SandboxRecord): Promise<void> => {
    const { first } = record;
    if (first === null) await stopUnknown(join(record.run, "control.sock"));
    else await killFirst(first);
    closeOutlets(record.id);
    rmSync(record.run, { recursive: true, force: true });
    rmSync(folderOf(record.id), { recursive: true, force: true });
  };

  const sandboxOf = (record: SandboxRecord): Sandbox =>
    localSandbox(record, folderOf(record.id), snapshots, () => endSandbox(record));

  return {
    id: "local",
    gatewayUrl: `http://127.0.0.1:${insidePort}`,
    runsAgents: true,
    idFor,
    async create(spec) {
      const id = idFor(spec);
      const folder = folderOf(id);
      const before = recordOf(folder);
      if (before) await endSandbox(before);
      rmSync(folder, { recursive: true, force: true });
      await fillHome(join(folder, "home"), spec, snapshots);
      const run = join(tmpdir(), `thb-${randomBytes(6).toString("hex")}`);
      // A process that dies from here on leaves a record by which the next one ends the sandbox.
      keepRecord(folder, { id, run, first: null });
      mkdirSync(run, { mode: 0o700 });
      await openOutlets(id, run);
      const record = await boot(options, id, folder, run, spec.env);
      const sandbox = sandboxOf(record);
      await beginHistory(sandbox, spec.own);
      return sandbox;
    },
    async attach(id, own) {
      const record = recordOf(folderOf(id));
      if (!record?.first || isAlive(record.first) !== true) return undefined;
      if (own) await openOutlets(id, record.run);
      return sandboxOf(record);
    },
    async end(id) {
      const record = recordOf(folderOf(id));
      if (record) await endSandbox(record);
      // A gateway that died while it filled the home, or while it removed it, left no record.
      rmSync(folderOf(id), { recursive: true, force: true });
    },
    hasSnapshot: (label) => snapshots.has(label),
    removeSnapshot: (label) => snapshots.remove(label),
    clean: () => snapshots.clean(),
  };
}

const idFor = ({ sessionId, generation }: Pick<SandboxSpec, "sessionId" | "generation">): string =>
  `${sessionId}.${generation}`;

const keepRecord = (folder: string, record: SandboxRecord): void =>
  writeDurably(
    join(folder, "box.json"),
    join(folder, `box.json.${process.pid}`),
    Buffer.from(JSON.stringify(record)),
    0o600,
  );

async function killFirst(first: LeaseOwner): Promise<void> {
  if (isAlive(first) === true) process.kill(first.pid, "SIGKILL");
  for (const until = Date.now() + endMs; isAlive(first) === true && Date.now() < until;) await timers.sleep(20);
}

/** Ends a sandbox whose process is not known: the gateway died while it was starting. It answers as soon as it has started. */
async function stopUnknown(socket: string): Promise<void> {
  for (const until = Date.now() + unknownMs; Date.now() < until; await timers.sleep(50))
    try {
      await requestSandbox(socket, "/stop", {}, 1_000);
    } catch (error) {
      // The first program ends without an answer; then, and where none ever listens, nothing answers.
      if (systemCode(error) === "ECONNRESET" || systemCode(error) === "ECONNREFUSED") return;
    }
}

function recordOf(folder: string): SandboxRecord | undefined {
  const file = join(folder, "box.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as SandboxRecord) : undefined;
}

async function fillHome(home: string, { from, source }: SandboxSpec, snapshots: FolderSnapshots): Promise<void> {
  mkdirSync(join(home, ".."), { recursive: true, mode: 0o700 });
  if (from !== null) {
    if ((await snapshots.has(from)) !== "yes") fail("not_found", "The snapshot of this session is gone.");
    await copyFolder(snapshots.path(from), home, () => false);
  }
  mkdirSync(join(home, "workspace"), { recursive: true });
  if (from === null && source !== null) {
    if (!existsSync(source)) fail("invalid_input", `There is no folder ${source}.`);
    // The git folder of a worktree is elsewhere, so its pointer leads nowhere in a sandbox.
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
): Promise<SandboxRecord> {
  const program = await bubblewrap(path);
  const name = init.endsWith(".ts") ? "init.ts" : "init.cjs";
  const programs = { node, [name]: init, ...(opencode === undefined ? {} : { opencode }) };
  const outside = hosts.length > 0;
  const args = sandboxArgs(
    { home: join(folder, "home"), run, programs },
    { ...(outside ? proxyVariables(`http://127.0.0.1:${proxyPort}`) : {}), ...env },
  );
  const ports = [`gateway=${insidePort}`, ...(outside ? [`proxy=${proxyPort}`] : [])];
  const start = ["--", "/run/thehood/node", `/run/thehood/${name}`, String(agentPort), ...ports];
  const child = spawn(program, ["--info-fd", "3", "--args", "4", ...start], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    env: {},
  });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString("utf8")));
  const over = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => reject(new Error(errors || `it ended at once (${code ?? signal})`)));
  });
  over.catch(() => undefined);
  // The arguments go through a pipe, so no value of a variable is in the process list.
  (child.stdio[4] as Writable).end(args.map((arg) => `${arg}\0`).join(""));
  let first: LeaseOwner | undefined;
  try {
    first = identityOf(await Promise.race([childPid(child.stdio[3] as Readable), over]));
    await Promise.race([answering(join(run, "control.sock")), over]);
    const record: SandboxRecord = { id, run, first };
    keepRecord(folder, record);
    return record;
  } catch (error) {
    child.kill("SIGKILL");
    if (first && isAlive(first) === true) process.kill(first.pid, "SIGKILL");
    const why = error instanceof Error ? error.message : String(error);
    return fail("provider_unavailable", `The sandbox could not be started: ${`${errors} ${why}`.trim().slice(0, 500)}`);
  } finally {
    child.removeAllListeners();
    child.unref();
    for (const pipe of [child.stderr, child.stdio[3] as Readable]) pipe?.destroy();
  }
}

/** Reads to the end: bubblewrap must not meet a closed pipe before it has started the sandbox. */
async function childPid(info: Readable): Promise<number> {
  let text = "";
  for await (const chunk of info as AsyncIterable<Buffer>) text += chunk.toString("utf8");
  const [, pid] = /"child-pid":\s*(\d+)/.exec(text) ?? [];
  if (pid === undefined) throw new Error("bubblewrap did not report which process it started");
  return Number(pid);
}

async function answering(socket: string): Promise<void> {
  for (const until = Date.now() + bootMs; ; await timers.sleep(20))
    try {
      await requestSandbox(socket, "/ready", {}, 1_000);
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
}

function localSandbox(
  record: SandboxRecord,
  folder: string,
  snapshots: FolderSnapshots,
  end: () => Promise<void>,
): Sandbox {
  const control = pinSocket(join(record.run, "control.sock"));
  const agent = pinSocket(join(record.run, "agent.sock"));
  const exec: Sandbox["exec"] = (argv, options) => execIn(control.path, argv, options);
  const home = join(folder, "home");
  const inHome = (path: string) => (path.startsWith(`${places.home}/`) ? [path.slice(places.home.length + 1)] : []);
  return {
    id: record.id,
    exec,
    ...filesOver(exec),
    reach: () => ({ socketPath: agent.path }),
    // Files in memory are not part of the home; the others are excluded from the copy and stay in the live home.
    snapshot: (label, { files, values }) => snapshots.take(label, home, { files: files.flatMap(inHome), values }),
    alive: async () => record.first !== null && isAlive(record.first) === true,
    release() {
      control.release();
      agent.release();
    },
    async stop() {
      control.release();
      agent.release();
      await end();
    },
  };
}
