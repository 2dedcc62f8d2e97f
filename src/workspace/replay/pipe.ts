// A named pipe in a folder of its own. Programs in a sandbox write lines into it and cannot take one back.
import { execFileSync } from "node:child_process";
import { constants, openSync, rmSync, mkdirSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { Socket } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { temporaryRoot } from "../../platform/system/index.ts";

export interface Pipe {
  /** Shown to the programs read-only, which is enough to write into the pipe. */
  readonly folder: string;
  readonly path: string;
  /** Writes a file beside the pipe and returns its path. */
  add(name: string, text: string): string;
  /** Everything that was written so far; nothing is read afterwards. */
  close(): Promise<string>;
}

const mostBytes = 24 << 20;

/** Undefined where the system has no such pipes. */
export function openPipe(): Pipe | undefined {
  if (process.platform === "win32") return undefined;
  const folder = join(temporaryRoot(), `app-${randomBytes(5).toString("hex")}`);
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, "log");
  try {
    execFileSync("mkfifo", ["-m", "600", path], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  // Open for both, so that the pipe does not end with its first writer.
  const socket = new Socket({
    fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
  });
  return {
    folder,
    path,
    add(name, text) {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    },
    async close() {
      // What a program wrote before its end is in the pipe already.
      for (let before = -1; before !== bytes;) {
        before = bytes;
        await setImmediate();
        await setImmediate();
      }
      socket.destroy();
      rmSync(folder, { recursive: true, force: true });
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}
