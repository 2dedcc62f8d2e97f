// The process of a detached run: takes the request from its pipe, says that it has the session, and works.
import { closeSync, writeSync } from "node:fs";
import process from "node:process";
import { statusExit, type Transport } from "../../../core/contract/transport/index.ts";
import { readyPipe } from "./spawn.ts";

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** The process that started us may be gone already; the session has its truth on disk either way. */
function sayReady(): void {
  try {
    writeSync(readyPipe, "ready\n");
    closeSync(readyPipe);
  } catch (error) {
    process.stderr.write(
      `nobody waits for this run: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}

export async function runSession(transport: Transport, id: string, signal: AbortSignal): Promise<number> {
  // The terminal that started us may close; that is no reason to stop.
  process.removeAllListeners("SIGHUP");
  process.on("SIGHUP", () => undefined);
  const payload = await readAll(process.stdin);
  const result = await transport.runHandedOver(id, payload, sayReady, signal);
  return statusExit[result.status];
}
