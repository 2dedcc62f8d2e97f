// The standard streams of a program: written whole; the caller learns when the reader is gone.
import { fstatSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import process from "node:process";
import type { Io } from "../../core/contract/index.ts";
import { lazy } from "./once.ts";

/** `lost` when printed text did not get into its file; a reader that closed its pipe has lost nothing. */
type Gone = (fd: number, lost: boolean) => void;

/** Writes whole, also to a slow pipe; the caller learns when the reader or the disk is gone. */
function write(fd: number, bytes: Uint8Array, gone: Gone) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EPIPE" || code === "EIO" || code === "ENOSPC") return gone(fd, code !== "EPIPE");
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Asking the stream itself would load half of Node's net code: only a device can be a terminal, and not the null one. */
function maybeTerminal(fd: number): boolean {
  const stat = fstatSync(fd, { throwIfNoEntry: false });
  return stat?.isCharacterDevice() === true && stat.rdev !== statSync(devNull, { throwIfNoEntry: false })?.rdev;
}

/** A stream that is made only to be asked costs more than the question. */
const isTerminal = (fd: number): boolean => maybeTerminal(fd) && process.getBuiltinModule("node:tty").isatty(fd);

/** A reader that went away ends a program whose only purpose is to print; one with other work passes its own `gone`. */
export function createStreams(
  env: Readonly<Record<string, string | undefined>>,
  gone: Gone = () => process.exit(0),
): Io {
  const forced = env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0";
  const terminal = lazy(() => isTerminal(1));
  // A dumb terminal cannot move its cursor: lines are written below each other there.
  const live = lazy(() => isTerminal(2) && env["CI"] === undefined && env["TERM"] !== "dumb");
  const atTerminal = lazy(() => live() && terminal() && isTerminal(0));
  const device = async () =>
    (await import("./terminal-device.ts")).openDevice(env, (text) => write(1, Buffer.from(text, "utf8"), gone));
  return {
    out: (text) => write(1, Buffer.from(text, "utf8"), gone),
    err: (text) => write(2, Buffer.from(text, "utf8"), gone),
    bytes: (bytes) => write(1, bytes, gone),
    get stdin() {
      return process.stdin;
    },
    color: env["NO_COLOR"] === undefined && (forced || (terminal() && env["TERM"] !== "dumb")),
    get terminal() {
      return terminal();
    },
    get live() {
      return live();
    },
    get columns() {
      return live() ? process.stderr.columns : 80;
    },
    get device() {
      return atTerminal() ? device : undefined;
    },
  };
}

/** A fault is for the person who runs the server, never for its client. */
export const faultReport = (program: string) => (error: unknown) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${program}: internal error, please report it.\n${text}\n`);
};
