// Streamable HTTP on one path: checks who calls, finds the session, answers. Closes cleanly when the signal fires.
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  listenOn,
  turnAway,
  type Guard,
  type Listening as Socket,
  aborted,
  isLoopback,
} from "../../../../platform/http/index.ts";
import { codes } from "../message.ts";
import type { Service } from "../session.ts";
import { post, turnDown, type PostLimits } from "./post.ts";
import { HttpSessions, type SessionLimits } from "./sessions.ts";
import { fail } from "../../../../core/contract/index.ts";

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly guard: Guard;
  readonly limits?: Partial<PostLimits & SessionLimits>;
}

export interface ListeningMcp {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const httpPath = "/mcp";
const defaults = {
  bodyBytes: 4 << 20,
  keepAliveMs: 15_000,
  sessions: 64,
  quietMs: 60_000,
  idleMs: 30 * 60_000,
} as const;

export async function listen(service: Service, options: HttpOptions): Promise<ListeningMcp> {
  const { host, port } = options;
  const limits = { ...defaults, ...options.limits };
  const sessions = new HttpSessions(service, limits);
  const server: Socket = await listenOn({ host, port }, (request, response) => {
    serveOne(request, response, sessions, options.guard, limits).catch((error: unknown) => {
      // The client closed the connection within the body: not a fault.
      if (!request.destroyed) service.fault(error);
      turnDown(response, 500, "Internal error; the server's stderr has the details.", {
        code: codes.internal,
      });
    });
  });
  return {
    url: `${server.origin}${httpPath}`,
    port: server.port,
    async close() {
      await sessions.close();
      await server.close();
    },
  };
}

async function serveOne(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: HttpSessions,
  guard: Guard,
  limits: PostLimits,
): Promise<void> {
  const turned = turnAway(request.headers, guard, request.socket.localPort ?? 0);
  if (turned)
    return turnDown(response, turned.status, turned.message, turned.headers ? { headers: { ...turned.headers } } : {});
  if (URL.parse(request.url ?? "", "http://localhost")?.pathname !== httpPath)
    return turnDown(response, 404, `Only ${httpPath} is served.`);
  if (request.method === "POST") return post(request, response, sessions, limits);
  const id = request.headers["mcp-session-id"];
  if (request.method === "DELETE") {
    if (typeof id !== "string" || !(await sessions.end(id)))
      return turnDown(response, 404, "There is no such session.");
    response.writeHead(204).end();
    return undefined;
  }
  // Every message of the server belongs to a call, so there is no other stream.
  return turnDown(response, 405, "Use POST.", { headers: { Allow: "POST, DELETE" } });
}

export interface HttpServing {
  readonly host: string;
  readonly port: number;
  /** A person said that other machines may reach it. */
  readonly remote: boolean;
  readonly token: () => string;
  /** Receives the address of the server and its token. */
  readonly ready: (url: string, token: string) => void;
  readonly signal: AbortSignal;
}

export async function serveHttp(service: Parameters<typeof listen>[0], serving: HttpServing): Promise<void> {
  const { host, port, remote, signal } = serving;
  if (!isLoopback(host) && !remote)
    fail("permission_denied", `${host} is not loopback: other machines could reach the server.`, {
      remedy:
        "Use 127.0.0.1; a secure MCP tunnel reaches it there from elsewhere (docs/guides/mcp-tunnels.md). Or give --allow-remote.",
    });
  const token = serving.token();
  const names = isLoopback(host) ? [] : [host];
  const server = await listen(service, { host, port, guard: { token, names } });
  serving.ready(server.url, token);
  await aborted(signal);
  await server.close();
}
