// Messages on the standard streams: one a line. A line that is too long is refused, and the next one is read again.
import type { Readable, Writable } from "node:stream";
import { readBatch, receiveBatch } from "./batch.ts";
import { codes, readMessage, refusal, RpcError } from "./message.ts";
import { ClientSession, type Send, type Service } from "./session.ts";

export interface LineLimits {
  readonly lineBytes: number;
  /** The bytes that may wait for a client that does not read, before we stop reading its messages. */
  readonly unreadBytes: number;
  /** How long calls under way may take after the client closed its side. */
  readonly lingerMs: number;
}

const lineLimits: LineLimits = { lineBytes: 4 << 20, unreadBytes: 8 << 20, lingerMs: 15_000 };

/** Serves one client until its side closes or the signal fires. */
export async function serveLines(
  service: Service,
  streams: { readonly input: Readable; readonly output: Writable },
  signal: AbortSignal,
  limits: LineLimits = lineLimits,
): Promise<void> {
  const session = new ClientSession(service);
  const { input, output } = streams;
  let broken = false;
  const send = (message: object): void => {
    if (!broken) output.write(`${JSON.stringify(message)}\n`);
  };
  output.on("error", () => {
    broken = true;
    input.destroy();
  });
  const stop = () => input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const line of lines(input, limits.lineBytes)) {
      if (signal.aborted) break;
      receive(session, line, send);
      if (output.writableLength > limits.unreadBytes) await drained(output, signal);
    }
  } catch (error) {
    // Destroyed by us or broken by the client: no reader is left.
    if (!signal.aborted && !broken && !isGone(error)) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  // A person who ends the server does not want to wait for a search.
  await within(session.close(), signal.aborted ? Math.min(limits.lingerMs, 1_000) : limits.lingerMs);
  if (!broken && !signal.aborted) await flushed(output, limits.lingerMs);
}

const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE", "ABORT_ERR", "EIO"].includes(String(error.code));

function receive(session: ClientSession, line: Line, send: Send): void {
  try {
    if (line.text === null) throw new RpcError(codes.request, `A message may have ${line.most} bytes, not more.`);
    const batch = readBatch(line.text, session);
    if (batch) void receiveBatch(session, batch, send);
    else void session.receive(readMessage(line.text), send);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const id = (error.data as { id?: string | number } | undefined)?.id ?? null;
    send(refusal(id, new RpcError(error.code, error.message)));
  }
}

interface Line {
  /** Null for a line that was too long. */
  readonly text: string | null;
  readonly most: number;
}

async function* lines(input: Readable, most: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  const take = (): Line | undefined => {
    const text = size > most ? null : Buffer.concat(parts).toString("utf8").trim();
    parts = [];
    size = 0;
    return text === "" ? undefined : { text, most };
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(10, from);
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end);
      size += piece.length;
      // Of a line that is too long nothing more is kept.
      if (size <= most) parts.push(piece);
      else parts = [];
      if (end < 0) break;
      const line = take();
      if (line) yield line;
      from = end + 1;
    }
  }
  const last = take();
  if (last) yield last;
}

/** The promise, or the end of the time it is given. */
async function within(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

/** Until the client has read what waits for it. A slow client delays its own calls only. */
function drained(output: Writable, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      output.off("drain", done);
      output.off("close", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    output.once("drain", done);
    output.once("close", done);
    signal.addEventListener("abort", done, { once: true });
  });
}

function flushed(output: Writable, ms: number): Promise<void> {
  return within(new Promise((resolve) => output.write("", () => resolve())), ms);
}
