// A server that waits for nobody: clients that send slowly, read slowly or come in crowds are dropped.
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";

export interface Listening {
  /** Scheme, address and port. */
  readonly origin: string;
  readonly port: number;
  /** Ends every connection. */
  close(): Promise<void>;
}

export interface Listen {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
} as const;
const mostConnections = 512;

export async function listenOn({ host, port, tls }: Listen, handle: RequestListener): Promise<Listening> {
  const server: Server = tls
    ? createSecure({ ...limits, ...tls, minVersion: "TLSv1.3" }, handle)
    : createServer(limits, handle);
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  const { port: bound, address, family } = server.address() as AddressInfo;
  const name = family === "IPv6" ? `[${address}]` : address;
  return {
    origin: `${tls ? "https" : "http"}://${name}:${bound}`,
    port: bound,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** So much may wait for a client that reads slowly. */
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

/** One answer in JSON. */
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
