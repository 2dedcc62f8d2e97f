// The HTTP server of the gateway: the guard first, then the token, then the route. Connections from inside a sandbox reach
// only the routes of tools and models.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { bearerOf, foreign, listenOn, sendJson } from "../../platform/http/index.ts";
import type { Authenticate, Gateway } from "../service/index.ts";
import { serveActions } from "./actions.ts";
import { bodyOf, HttpRefusal, refuseRequest, sendRefusal } from "./answer.ts";
import { authenticated, callback } from "./callback.ts";
import { forwardToModel, type ModelEndpoints } from "./models.ts";
import { openApi } from "./openapi.ts";
import { routes } from "./routes.ts";
import type { Route } from "./route.ts";
import { upgradePublic } from "./public-socket.ts";
import { serveEvents, upgradeEvents } from "./streams.ts";

export interface ServerOptions {
  readonly gateway: Gateway;
  readonly authenticate: Authenticate;
  readonly endpoints: ModelEndpoints;
  readonly version: string;
  /** Host names other than loopback under which the user published the server. */
  readonly names: readonly string[];
  readonly host: string;
  readonly port: number;
}

export interface GatewayServer {
  readonly url: string;
  readonly port: number;
  /** Serves a connection from inside a sandbox. */
  accept(socket: Socket): void;
  close(): Promise<void>;
}

/** The port on which programs in a sandbox reach the gateway. */
const insidePort = 8700;
const limits = { connections: 4096, requestTimeout: 120_000, keepAliveTimeout: 30_000 } as const;

interface Compiled {
  readonly route: Route;
  readonly pattern: RegExp;
}
const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", String.raw`\.`).replaceAll(/:([A-Za-z]+)/g, "(?<$1>[^/]+)")}$`);
const compiled: readonly Compiled[] = routes.map((route) => ({ route, pattern: pattern(route.path) }));
const toolPattern = pattern("/proliferate/:sessionId/tools/:toolName");
const actionsPattern = /^\/proliferate\/(?<sessionId>[^/]+)\/actions\/(?<rest>[^?]+)$/;
const modelPattern = /^\/models\/(?<wire>[a-z]+)\/v1\/(?<rest>[A-Za-z0-9/_.-]+)$/;
const publicPattern = /^\/proliferate\/(?<id>[^/]+)$/;
const eventsPattern = pattern("/api/sessions/:id/events");

function paramsOf(match: RegExpExecArray): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return refuseRequest(400, "The path is not encoded correctly.");
  }
}

class GatewayDoor {
  readonly #options: ServerOptions;
  /** Connections that came from inside a sandbox. */
  readonly #inside = new WeakSet<Duplex>();
  constructor(options: ServerOptions) {
    this.#options = options;
  }

  markInside(socket: Duplex): void {
    this.#inside.add(socket);
  }

  #guard(request: IncomingMessage, path: string): void {
    const inside = this.#inside.has(request.socket);
    const port = inside ? insidePort : (request.socket.localPort ?? 0);
    const turned = foreign(request.headers, { names: inside ? [] : this.#options.names }, port);
    if (turned) refuseRequest(turned.status, turned.message);
    if (inside && !path.startsWith("/proliferate/") && !path.startsWith("/models/"))
      refuseRequest(403, "A sandbox may use its tools and its model here, and nothing else.");
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const { gateway, authenticate, endpoints } = this.#options;
    this.#guard(request, path);
    const tool = toolPattern.exec(path);
    if (tool) {
      if (request.method !== "POST") return refuseRequest(405, "Tools are called with POST.", { Allow: "POST" });
      const { sessionId = "", toolName = "" } = paramsOf(tool);
      return callback(gateway, authenticate, request, response, { sessionId, toolName });
    }
    const action = actionsPattern.exec(path);
    if (action) {
      const { sessionId = "", rest = "" } = action.groups ?? {};
      return serveActions(gateway, authenticate, request, response, { sessionId, rest });
    }
    const model = modelPattern.exec(path);
    if (model) {
      const { wire = "", rest = "" } = model.groups ?? {};
      return forwardToModel(gateway, authenticate, endpoints, request, response, { wire, rest });
    }
    if (request.method === "GET" && path === "/health")
      return sendJson(response, 200, { ok: true, version: this.#options.version });
    if (request.method === "GET" && path === "/openapi.json")
      return sendJson(response, 200, openApi(this.#options.version));
    return this.#api(request, response, path);
  }

  async #api(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const { gateway, authenticate } = this.#options;
    const caller = authenticated(request, authenticate);
    if (caller.source === "sandbox") return refuseRequest(403, "A sandbox may not use this route.");
    if (request.method === "GET" && path === "/metrics") return metrics(gateway, response);
    const events = eventsPattern.exec(path);
    if (events && request.method === "GET") {
      const { id } = await gateway.sessions.find(paramsOf(events)["id"] ?? "");
      return serveEvents(gateway, id, request, response);
    }
    const found = compiled.filter((one) => one.pattern.test(path));
    const chosen = found.find(({ route }) => route.method === request.method);
    if (!chosen)
      return found.length === 0
        ? refuseRequest(404, "There is no such route.")
        : refuseRequest(405, "This route has another method.", {
            Allow: found.map(({ route }) => route.method).join(", "),
          });
    const match = chosen.pattern.exec(path);
    const params = match ? paramsOf(match) : {};
    const body = await this.#body(chosen.route, request);
    const query = new URLSearchParams((request.url ?? "").split("?").slice(1).join("?"));
    const result = await chosen.route.handle({ gateway, caller, params, headers: request.headers, query, body });
    return sendJson(response, chosen.route.status ?? 200, result as object);
  }

  async #body({ body }: Route, request: IncomingMessage): Promise<unknown> {
    if (!body) return undefined;
    const parsed = body.safeParse(await bodyOf(request, this.#options.gateway.deps.limits));
    if (parsed.success) return parsed.data;
    const why = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`.trim());
    return refuseRequest(400, `The body is invalid: ${why.slice(0, 5).join("; ")}`);
  }

  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    this.#guard(request, path);
    const own = eventsPattern.exec(path);
    const match = own ?? publicPattern.exec(path);
    if (!match) return refuseRequest(404, "There is no such stream.");
    // A page cannot set headers on a WebSocket: it sends the token as a second protocol.
    const named = /(?:^|,)\s*bearer\.([\w.~+/=-]{1,512})/.exec(request.headers["sec-websocket-protocol"] ?? "")?.[1];
    const caller = authenticated(request, this.#options.authenticate, named ?? bearerOf(request.headers));
    if (caller.source === "sandbox") return refuseRequest(403, "A sandbox may not use this route.");
    const { id } = await this.#options.gateway.sessions.find(paramsOf(match)["id"] ?? "");
    return (own ? upgradeEvents : upgradePublic)(this.#options.gateway, id, request, socket, head);
  }
}

async function metrics(gateway: Gateway, response: ServerResponse): Promise<void> {
  const sessions = await gateway.deps.store.sessions();
  const running = sessions.filter(({ status }) => status === "running").length;
  const text = gateway.metrics.text({
    sessions: sessions.length,
    sessions_running: running,
    event_listeners: gateway.events.listeners(),
  });
  response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4", "Cache-Control": "no-store" }).end(text);
}

export async function listenGateway(options: ServerOptions): Promise<GatewayServer> {
  const door = new GatewayDoor(options);
  const fault = (error: unknown): void =>
    options.gateway.deps.log({
      level: "error",
      stack: error instanceof Error ? error.stack : String(error),
    });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on("error", () => socket.destroy());
    door.upgrade(request, socket, head).catch((error: unknown) => {
      const status = error instanceof HttpRefusal ? error.status : 500;
      if (!(error instanceof HttpRefusal)) fault(error);
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    });
  };
  const { host, port } = options;
  const server = await listenOn({ host, port, upgrade, limits }, (request, response) => {
    door.serve(request, response).catch((error: unknown) => {
      if (sendRefusal(response, error)) return;
      const status = (error as { status?: unknown }).status;
      if (status !== 502 && !request.destroyed) fault(error);
      sendJson(response, status === 502 ? 502 : 500, {
        error: status === 502 ? "The model's endpoint cannot be reached." : "Internal server error",
      });
    });
  });
  return {
    url: server.origin,
    port: server.port,
    accept(socket) {
      door.markInside(socket);
      server.accept(socket);
    },
    close: () => server.close(),
  };
}
