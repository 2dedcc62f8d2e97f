// The channel over which test runners report: a socket in a folder of its own, with a copy of our reporters. Each
// connection is one runner. A process without our reporter can open another connection, which is then one too many; it
// cannot write into one that is open.
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { installedFile, temporaryRoot } from "../../../platform/system/index.ts";
import { readSession, type RunnerSession } from "./runner-session.ts";

interface Channel {
  readonly folder: string;
  /** All sessions so far; those that are open end here. */
  close(): Promise<RunnerSession[]>;
}

const mostBytes = 32 << 20;
const mostSessions = 200;
/** The longest path that a socket can have on every system. */
const longestPath = 100;

/** Undefined where no socket can be made: the check then runs without a report. */
export async function openChannel(): Promise<Channel | undefined> {
  const folder = join(temporaryRoot(), randomBytes(6).toString("hex"));
  const path = join(folder, "socket");
  if (path.length > longestPath || process.platform === "win32") return undefined;
  sweepChannels(temporaryRoot(), Date.now());
  mkdirSync(folder, { mode: 0o700 });
  cpSync(reportersFolder(), folder, { recursive: true });
  const sessions: { readonly socket: Socket; readonly chunks: Buffer[] }[] = [];
  let bytes = 0;
  const server = createServer((socket) => {
    const chunks: Buffer[] = [];
    sessions.push({ socket, chunks });
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes || sessions.length > mostSessions) socket.destroy();
      else chunks.push(chunk);
    });
  });
  const drop = () => rmSync(folder, { recursive: true, force: true });
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(path, () => resolve(true));
  });
  if (!isOpen) {
    drop();
    return undefined;
  }
  return {
    folder,
    async close() {
      // A runner that has ended may still wait to be accepted: two turns of the event loop accept all that wait.
      await setImmediate();
      await setImmediate();
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      // Bytes of a program that has ended are in the socket already; one turn of the event loop reads them.
      await Promise.all(sessions.map(({ socket }) => drained(socket)));
      await closed;
      drop();
      return sessions.map(({ chunks }) => readSession(Buffer.concat(chunks).toString("utf8")));
    },
  };
}

/** No check takes a day. */
const keptMs = 86_400_000;

/** Removes the channels of processes that were killed: unused folders with our reporters in them. */
export function sweepChannels(root: string, now: number): void {
  for (const name of readdirSync(root)) {
    if (!/^[0-9a-f]{12}$/.test(name)) continue;
    const folder = join(root, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    const isOurs = found !== undefined && found.isDirectory() && found.uid === process.getuid?.();
    if (isOurs && now - found.mtimeMs > keptMs && existsSync(join(folder, "channel.cjs")))
      rmSync(folder, { recursive: true, force: true });
  }
}

/** The writer is gone, so that the end of what it wrote is near; one that holds on is let go. */
function drained(socket: Socket): Promise<void> {
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    socket.once("close", () => resolve());
    socket.setTimeout(1_000, () => socket.destroy());
  });
}

const reportersFolder = (): string => installedFile("reporters", "src/workspace/checks/reporters/injected");
