// A run in a process of its own. The request goes through a pipe, so that secrets of a prompt are not written to disk.
import { spawn } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import process from "node:process";
import type { Readable } from "node:stream";
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import {
  errorResult,
  statusExit,
  type ConversationRef,
  type RunRequest,
  type Transport,
} from "../../../core/contract/transport/index.ts";
import { conversationRefSchema, requestSchema } from "../../../core/contract/transport/schema/index.ts";
import { startProgram } from "../../../platform/system/index.ts";
import { writeJson } from "../sessions/atomic-file.ts";
import type { LiveRecord } from "../sessions/record.ts";

/** A pipe of its own for the ready message: stdout and stderr of the process go to the session's log. */
const readyPipe = 3;
/** Starting takes a fraction of a second; a busy machine gets a minute. */
const patience = 60_000;

/** The process gets the environment that is handed in. */
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
    // The process may have ended before it read its request; its exit code reports that.
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

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** The parent process may have ended; the state of the session is on disk either way. */
function sayReady(): void {
  try {
    writeSync(readyPipe, "ready\n");
    closeSync(readyPipe);
  } catch (error) {
    process.stderr.write(
      `the parent process does not wait for this run: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}

export async function runSession(transport: Transport, id: string, signal: AbortSignal): Promise<number> {
  // The run continues when the terminal closes.
  process.removeAllListeners("SIGHUP");
  process.on("SIGHUP", () => undefined);
  const payload = await readAll(process.stdin);
  const result = await transport.runHandedOver(id, payload, sayReady, signal);
  return statusExit[result.status];
}

export const payloadSchema = z.object({
  request: requestSchema,
  resume: conversationRefSchema.nullable(),
  warnings: z.array(z.string()),
});

export interface Payload {
  readonly request: RunRequest;
  readonly resume: ConversationRef | null;
  readonly warnings: readonly string[];
}

/** Starts `oracle` for this session, in a process group and terminal session of its own, with its output in
 * the given file. `ready` resolves when it has taken the session over, and rejects when it ended before that. */
export type SpawnRunner = (start: {
  readonly sessionId: string;
  readonly payload: string;
  readonly output: number;
}) => { readonly ready: Promise<void> };

export async function startDetachedSession(live: LiveRecord, payload: Payload, spawn: SpawnRunner): Promise<void> {
  const output = openSync(live.folder.log, "a", 0o600);
  try {
    await spawn({ sessionId: live.folder.id, payload: JSON.stringify(payload), output }).ready;
  } catch (cause) {
    const message = `The run could not be started: ${cause instanceof Error ? cause.message : String(cause)}.`;
    const error = { code: "interrupted", message, remedy: `See ${live.folder.log}` };
    writeJson(live.folder.result, errorResult(error, { sessionId: live.folder.id, engine: payload.request.engine }));
    live.update({ status: "error", error });
    fail("interrupted", message, { remedy: error.remedy });
  } finally {
    closeSync(output);
  }
}
