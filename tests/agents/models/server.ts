// A model's server on loopback: takes requests of one wire, plays its part, remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Asked, type Directive, type Part, type Player, directiveIn } from "./play.ts";

/** How one kind of model API is spoken. */
export interface Wire {
  readonly name: string;
  /** Whether the request asks the model something; others get `other`. */
  isQuestion(request: IncomingMessage): boolean;
  other(request: IncomingMessage, response: ServerResponse, body: unknown): void;
  read(body: unknown): Asked;
  /** Writes the whole answer of this turn, or only its beginning. */
  reply(response: ServerResponse, turn: Turn): void;
}

export interface Turn {
  readonly body: unknown;
  readonly asked: Asked;
  readonly part: Part;
  readonly directive: Directive | undefined;
  readonly onlyBeginning: boolean;
}

export interface SeenRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  /** Resolves when a model has been asked for the first time. */
  reached(): Promise<void>;
  openSockets(): number;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

export interface ServerOptions {
  readonly port?: number;
  /** What is played for a request that carries no directive: an agent that works for a person, not for a run. */
  undirected?(asked: Asked, body: unknown): Part;
  onRequest?(request: SeenRequest): void;
}

export async function serveModel(wire: Wire, player: Player, options: ServerOptions = {}): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  const refused = new Map<string, number>();
  const sockets = new Set<Socket>();
  const first = Promise.withResolvers<void>();

  const answer = (response: ServerResponse, body: unknown): void => {
    const asked = wire.read(body);
    const directive = directiveIn(asked);
    const part = directive ? player(directive) : (options.undirected?.(asked, body) ?? {});
    const key = directive?.directiveAck.marker ?? "";
    const times = refused.get(key) ?? 0;
    if (part.status && times < part.status.times) {
      refused.set(key, times + 1);
      response.writeHead(part.status.code, { "content-type": "application/json", "retry-after": "0" });
      response.end(JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "scripted" } }));
      return;
    }
    if (part.behave === "hang") return;
    wire.reply(response, { body, asked, part, directive, onlyBeginning: part.behave !== undefined });
    if (part.behave === "cut") response.socket?.destroy();
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const one = { url: request.url ?? "", headers: request.headers, body };
    options.onRequest?.(one);
    if (!wire.isQuestion(request)) return wire.other(request, response, body);
    seen.push(one);
    first.resolve();
    answer(response, body);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n");
  });
  await new Promise<void>((done) => server.listen(options.port ?? 0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    reached: () => first.promise,
    openSockets: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}
