// The listener of all our servers. It drops clients that send slowly, read slowly, or open too many connections.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { fail } from "../../core/contract/index.ts";
import { keepHeapSmall } from "./heap-size.ts";

export interface Listening {
  /** Scheme, address and port. */
  readonly origin: string;
  readonly port: number;
  /** Serves a connection that came in by another way than the address. */
  accept(socket: Socket): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

interface Listen {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  readonly limits?: Partial<ListenLimits>;
  /** Without it an upgrade is served as a request. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

interface ListenLimits {
  readonly connections: number;
  /** How long a request may take to arrive. */
  readonly requestTimeout: number;
  /** How long an idle connection stays open. */
  readonly keepAliveTimeout: number;
}

const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
} as const;

export async function listenOn(listen: Listen, handle: RequestListener): Promise<Listening> {
  keepHeapSmall();
  const { host, port, tls, upgrade } = listen;
  const { connections = 512, ...timeouts } = listen.limits ?? {};
  const options = { ...limits, ...timeouts };
  const server: Server = tls
    ? createSecure({ ...options, ...tls, minVersion: "TLSv1.3" }, handle)
    : createServer(options, handle);
  if (upgrade) server.on("upgrade", upgrade);
  server.maxConnections = connections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    fail("invalid_input", `Cannot listen on ${host}:${port}: ${why}.`, {
      remedy: port === 0 ? "Choose an address of this machine." : "Choose another port; 0 takes a free one.",
    });
  });
  const { port: bound, address, family } = server.address() as AddressInfo;
  const name = family === "IPv6" ? `[${address}]` : address;
  return {
    origin: `${tls ? "https" : "http"}://${name}:${bound}`,
    port: bound,
    accept: (socket) => void server.emit("connection", socket),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Resolves when the signal fires. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** How many bytes may wait for a client that reads slowly. */
const mostUnread = 8 << 20;

/** Writes to a stream; false when the client is gone, or was dropped because it does not read. */
export function stream(response: ServerResponse, text: string): boolean {
  if (response.destroyed || response.writableEnded) return false;
  response.write(text);
  if (response.writableLength <= mostUnread) return true;
  response.destroy();
  return false;
}

/** Fires when the client hangs up, or has its whole answer. */
export function clientGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    ...headers,
  });
  response.end(text);
}

/** So many bytes of a refused body are read and dropped: a client that writes first reads the answer only afterwards. */
const mostDropped = 256 << 20;

/** Drops the rest of a body that is too large, within bytes; the time is limited by the server's `requestTimeout`. */
function dropRest(request: IncomingMessage): void {
  let dropped = 0;
  request.on("data", (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > mostDropped) request.destroy();
  });
  request.on("error", () => request.destroy());
}

/** The text, or null when it is larger than allowed; then the rest is read and dropped. */
export function readBody(request: IncomingMessage, most: number): Promise<string | null> {
  if (Number(request.headers["content-length"] ?? 0) > most) {
    dropRest(request);
    return Promise.resolve(null);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
      else if (size - chunk.length <= most) {
        chunks.length = 0;
        dropRest(request);
        resolve(null);
      }
    });
    request.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    request.once("error", reject);
    // After its end this changes nothing any more.
    request.once("close", () => reject(new Error("The client is gone.")));
  });
}
