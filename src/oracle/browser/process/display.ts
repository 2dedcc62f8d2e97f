// A virtual display for a browser with a window on a machine without a screen: Xvfb, for this user only.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";
import { startProgram } from "../../../platform/system/index.ts";

const startMs = 20_000;

/** One entry of an X authority file that fits every display: family, address, number, name and value. */
function authority(): Buffer {
  const field = (value: Buffer) => {
    const size = Buffer.alloc(2);
    size.writeUInt16BE(value.length);
    return Buffer.concat([size, value]);
  };
  const anyFamily = Buffer.from([0xff, 0xff]);
  const none = Buffer.alloc(0);
  return Buffer.concat([
    anyFamily,
    field(none),
    field(none),
    field(Buffer.from("MIT-MAGIC-COOKIE-1")),
    field(randomBytes(16)),
  ]);
}

export interface VirtualDisplay {
  readonly variables: Readonly<Record<"DISPLAY" | "XAUTHORITY", string>>;
  /** It also ends when its last window is closed. */
  end(): void;
}

/** Xvfb chooses a free number and writes it when it takes connections. */
async function numberOf(child: ChildProcess): Promise<string> {
  let output = "";
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors = `${errors}${chunk.toString("utf8")}`.slice(-500)));
  return await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the virtual display did not start in time")), startMs);
    const fail = (why: string) => {
      clearTimeout(late);
      reject(new Error(`the virtual display could not be started: ${errors.trim() || why}`));
    };
    child.on("error", (error) => fail(error.message));
    child.on("exit", (code) => fail(`it ended (${code ?? "signal"})`));
    (child.stdio[3] as Readable).on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      if (!output.includes("\n")) return;
      clearTimeout(late);
      resolve(output.trim());
    });
  });
}

export async function startDisplay(program: string, folder: string): Promise<VirtualDisplay> {
  const file = join(folder, `display-${process.pid}.auth`);
  writeFileSync(file, authority(), { mode: 0o600 });
  const line = ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-auth", file, "-terminate"];
  const child = startProgram(() => spawn(program, line, { stdio: ["ignore", "ignore", "pipe", "pipe"] }));
  const end = () => {
    child.kill("SIGTERM");
    rmSync(file, { force: true });
  };
  try {
    return { variables: { DISPLAY: `:${await numberOf(child)}`, XAUTHORITY: file }, end };
  } catch (error) {
    end();
    throw error;
  }
}
