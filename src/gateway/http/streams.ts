// Streams the events of a session to a client: server-sent events or a WebSocket. `after` continues a stream.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { stream } from "../../platform/http/index.ts";
import type { Gateway } from "../service/index.ts";
import { strictJson } from "../rules/index.ts";
import { FailureError } from "../../core/contract/index.ts";
import { z } from "zod";

const beatMs = 20_000;
const mostUnread = 8 << 20;

function afterOf(request: IncomingMessage): number {
  const last = request.headers["last-event-id"];
  const query = URL.parse(request.url ?? "", "http://localhost")?.searchParams.get("after");
  const number = Number(typeof last === "string" ? last : (query ?? 0));
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

export function serveEvents(
  gateway: Gateway,
  sessionId: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  response.flushHeaders();
  const end = gateway.events.follow(sessionId, afterOf(request), (event) => {
    stream(response, `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  });
  const beat = setInterval(() => stream(response, ": still here\n\n"), beatMs);
  response.once("close", () => {
    clearInterval(beat);
    end();
  });
}

let sockets: Promise<WebSocketServer> | undefined;
/** Loaded with the first WebSocket client. */
export const webSockets = () =>
  (sockets ??= import("ws").then(
    ({ WebSocketServer }) =>
      new WebSocketServer({
        noServer: true,
        maxPayload: 1 << 20,
        perMessageDeflate: false,
        handleProtocols: (names) => (names.has("thehood") ? "thehood" : false),
      }),
  ));

const clientMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("prompt"), content: z.string().min(1).max(500_000) }),
  z.object({ type: z.literal("cancel") }),
  z.object({ type: z.literal("ping") }),
]);

/** Makes a WebSocket of a request. */
export type Upgrade = (
  gateway: Gateway,
  sessionId: string,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) => Promise<void>;

export const upgradeEvents: Upgrade = async (gateway, sessionId, request, socket, head) => {
  const server = await webSockets();
  server.handleUpgrade(request, socket, head, (client) => {
    followWith(gateway, sessionId, client, afterOf(request), (event) => client.send(JSON.stringify(event)));
    client.on("message", (data) => void handleMessage(gateway, sessionId, client, String(data)));
  });
};

/** Sends each later event of a session to a client, until it goes or does not read any more. */
export function followWith(
  gateway: Gateway,
  sessionId: string,
  client: WebSocket,
  after: number,
  send: Parameters<Gateway["events"]["follow"]>[2],
): void {
  const end = gateway.events.follow(sessionId, after, (event) => {
    send(event);
    if (client.bufferedAmount > mostUnread) client.terminate();
  });
  const beat = setInterval(() => client.ping(), beatMs);
  client.on("error", () => client.terminate());
  client.on("close", () => {
    clearInterval(beat);
    end();
  });
}

async function handleMessage(gateway: Gateway, sessionId: string, client: WebSocket, text: string): Promise<void> {
  try {
    const { data } = clientMessage.safeParse(strictJson(text));
    if (!data) client.send(JSON.stringify({ type: "error", data: { message: "This kind of message is unknown." } }));
    else if (data.type === "ping") client.send(JSON.stringify({ type: "pong" }));
    else if (data.type === "cancel") await gateway.sessions.cancel(sessionId);
    else await gateway.sessions.message(sessionId, data.content);
  } catch (error) {
    if (!(error instanceof FailureError)) gateway.deps.log({ level: "error", sessionId, stack: String(error) });
    const message = error instanceof FailureError ? error.message : "Internal server error";
    client.send(JSON.stringify({ type: "error", data: { message } }));
  }
}
