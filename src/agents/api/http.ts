// One HTTP exchange, streamed. Plain node:http so that a silent model may think longer than fetch would wait,
// redirects never carry a key elsewhere, and every retry is ours to decide and to record.
import { Agent, request as plainRequest, type IncomingMessage } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

interface HttpCall {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Longest silence, from the request's end on and between two pieces of the answer. */
  readonly idleMs: number;
}

export interface HttpReply {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body, at most `limit` bytes of it. */
  text(limit: number): Promise<string>;
}

/** `not_sent`: the server cannot have seen the request. `broken`: it may have. */
export class HttpFailure extends Error {
  readonly kind: "not_sent" | "broken" | "silent" | "aborted";
  constructor(kind: HttpFailure["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HttpFailure";
    this.kind = kind;
  }
}

export interface HttpDoor {
  send(call: HttpCall): Promise<HttpReply>;
  close(): void;
}

const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "ECONNABORTED"]);

function asFailure(error: unknown, connected: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message || code : String(error);
  return new HttpFailure(!connected || neverSent.has(code) ? "not_sent" : "broken", message, {
    cause: error,
  });
}

/** A server may compress its answer without being asked. */
function unpacked(incoming: IncomingMessage): Readable {
  const packing = incoming.headers["content-encoding"]?.trim().toLowerCase();
  const unpack =
    packing === "gzip" || packing === "x-gzip"
      ? createGunzip({ flush: constants.Z_SYNC_FLUSH })
      : packing === "deflate"
        ? createInflate({ flush: constants.Z_SYNC_FLUSH })
        : packing === "br"
          ? createBrotliDecompress()
          : undefined;
  if (!unpack) return incoming;
  incoming.on("error", (error) => unpack.destroy(error));
  return incoming.pipe(unpack);
}

async function* pieces(incoming: IncomingMessage, done: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of unpacked(incoming)) yield chunk as Uint8Array;
    if (!incoming.complete) throw new HttpFailure("broken", "the connection ended in the middle of the answer");
  } catch (error) {
    throw asFailure(error, true);
  } finally {
    done();
    incoming.destroy();
  }
}

async function readAll(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part.subarray(0, limit - size));
    size += part.length;
    if (size >= limit) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

const loopbackAddresses = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
] as const;

/** A request to this machine goes to this machine: the name is not looked up, and no proxy carries it elsewhere. */
const stayHere: LookupFunction = (_host, { all, family }, found) => {
  const fit = loopbackAddresses.filter((one) => !family || family === one.family || typeof family === "string");
  if (all === true) found(null, fit.length > 0 ? [...fit] : [...loopbackAddresses]);
  else found(null, fit[0]?.address ?? "127.0.0.1", fit[0]?.family ?? 4);
};

/** `proxyEnv` holds the proxy variables of the user's environment, as Node's agents take them. */
export function openDoor(
  proxyEnv: Readonly<Record<string, string | undefined>>,
  { loopback = false }: { readonly loopback?: boolean } = {},
): HttpDoor {
  const options = loopback ? { keepAlive: true, lookup: stayHere } : { keepAlive: true, proxyEnv };
  const agents = { plain: new Agent(options), secure: new SecureAgent(options) };
  return {
    send: (call) => exchange(call, agents),
    close() {
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

function exchange(call: HttpCall, agents: { plain: Agent; secure: SecureAgent }): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    if (call.signal.aborted) {
      reject(new HttpFailure("aborted", "stopped before sending"));
      return;
    }
    const secure = call.url.startsWith("https:");
    const body = call.body === undefined ? undefined : Buffer.from(call.body, "utf8");
    const headers = { ...call.headers, ...(body ? { "content-length": String(body.length) } : {}) };
    const request = (secure ? secureRequest : plainRequest)(call.url, {
      method: call.method,
      headers,
      agent: secure ? agents.secure : agents.plain,
      timeout: call.idleMs,
    });
    let connected = false;
    const onAbort = () => request.destroy(new HttpFailure("aborted", "stopped"));
    const release = () => call.signal.removeEventListener("abort", onAbort);
    call.signal.addEventListener("abort", onAbort, { once: true });
    request.on("socket", (socket) => {
      // A kept-alive socket is connected already; a new one emits an event.
      if (socket.connecting) socket.once(secure ? "secureConnect" : "connect", () => (connected = true));
      else connected = true;
    });
    request.on("timeout", () =>
      request.destroy(new HttpFailure("silent", `no sign of the server for ${call.idleMs} ms`)),
    );
    request.on("error", (error) => {
      release();
      reject(asFailure(error, connected));
    });
    request.on("response", (incoming) => {
      const stream = pieces(incoming, release);
      resolve({
        status: incoming.statusCode ?? 0,
        header: (name) => {
          const value = incoming.headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        body: stream,
        text: (limit) => readAll(stream, limit),
      });
    });
    request.end(body);
  });
}
