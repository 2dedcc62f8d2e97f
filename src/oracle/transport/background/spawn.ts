// Starts the process of a detached run: own session, so that it outlives the terminal; request in, one word back.
import { spawn } from "node:child_process";
import process from "node:process";
import type { Readable } from "node:stream";
import { startProgram } from "../../../platform/system/index.ts";
import type { SpawnRunner } from "./start.ts";

/** The word goes over a pipe of its own: both other streams of the process belong to the session's log. */
export const readyPipe = 3;
/** Starting takes a fraction of a second; a machine that is busy beyond all measure gets a minute. */
const patience = 60_000;

/** The process has the environment of ours, which is handed in. */
export const spawnRunner =
  (env: Readonly<Record<string, string | undefined>>): SpawnRunner =>
  ({ sessionId, payload, output }) => {
    const entry = process.argv[1];
    if (entry === undefined) throw new TypeError("the program does not know its own entry");
    const child = startProgram(() =>
      spawn(process.execPath, [...process.execArgv, entry, "run-session", sessionId], {
        detached: true,
        stdio: ["pipe", output, output, "pipe"],
        env,
        windowsHide: true,
      }),
    );
    const word = child.stdio[readyPipe] as Readable;
    // It may have ended before it read its request; its exit code tells.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(payload);
    const ready = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        child.kill("SIGKILL");
        reject(new Error(`its process did not take over within ${patience} ms`));
      }, patience);
      child.on("error", reject);
      child.on("exit", (code, signal) => {
        clearTimeout(late);
        reject(new Error(`its process ended with ${signal ?? code ?? "nothing"}`));
      });
      word.once("data", () => {
        clearTimeout(late);
        word.destroy();
        child.unref();
        resolve();
      });
    });
    return { ready };
  };
