// One POST: a message in; its answer as one JSON body, or as a stream where the server may have more to say on the way.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isJson, clientGone, readBody, stream as send, sendJson } from "../../../../platform/http/index.ts";
import { codes, readMessage, refusal, RpcError, type Id, type RpcMessage } from "../message.ts";
import { readBatch, receiveBatch } from "../batch.ts";
import { claimedRevision, isModern } from "../envelope.ts";
import { protocols, type ClientSession } from "../session.ts";
import { modernRefusal } from "./modern.ts";
import type { HttpSessions } from "./sessions.ts";

export interface PostLimits {
  readonly bodyBytes: number;
  readonly keepAliveMs: number;
}

export const turnDown = (
  response: ServerResponse,
  status: number,
  message: string,
  options: {
    readonly code?: number;
    readonly id?: Id | null;
    readonly data?: unknown;
    readonly headers?: Record<string, string>;
  } = {},
) =>
  sendJson(
    response,
    status,
    refusal(options.id ?? null, new RpcError(options.code ?? codes.request, message, options.data)),
    options.headers,
  );

export async function post(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: HttpSessions,
  limits: PostLimits,
): Promise<void> {
  if (!isJson(request.headers)) return turnDown(response, 415, "Content-Type must be application/json.");
  const accept = request.headers.accept ?? "*/*";
  const takes = (type: string) => accept.includes(type) || accept.includes("*/*");
  if (!takes("application/json") && !takes("text/event-stream"))
    return turnDown(response, 406, "Accept must name application/json and text/event-stream.");
  const text = await readBody(request, limits.bodyBytes);
  if (text === null) return turnDown(response, 413, `A message may have ${limits.bodyBytes} bytes, not more.`);
  let message: RpcMessage;
  try {
    if (await answeredBatch(text, request, response, sessions)) return undefined;
    message = readMessage(text);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return turnDown(response, 400, error.message, { code: error.code });
  }
  const id = idOf(message);
  const refused = modernRefusal(message, request.headers) ?? olderRefusal(request);
  if (refused) return turnDown(response, 400, refused.message, { id, code: refused.code, data: refused.data });
  const found = sessionFor(message, request, sessions);
  if ("status" in found) return turnDown(response, found.status, found.message, { id });
  if (message.kind !== "request") {
    await found.session.receive(message, () => undefined);
    response.writeHead(202).end();
    return undefined;
  }
  const stream = message.method === "tools/call" && accept.includes("text/event-stream");
  const headers: Record<string, string> = found.id === null ? {} : { "Mcp-Session-Id": found.id };
  if (stream) return streamed(message, found.session, response, headers, limits.keepAliveMs);
  const modern = claimedRevision(message.params) !== undefined;
  await found.session.receive(
    message,
    (answer) => sendJson(response, modern && isUnknownMethod(answer) ? 404 : 200, answer, headers),
    clientGone(response),
  );
  return undefined;
}

/** A batch gets its answers in one list; one that asks nothing is taken without a word. */
async function answeredBatch(
  text: string,
  request: IncomingMessage,
  response: ServerResponse,
  sessions: HttpSessions,
): Promise<boolean> {
  const id = request.headers["mcp-session-id"];
  const session = typeof id === "string" ? sessions.find(id) : undefined;
  const batch = readBatch(text, session);
  if (!session || !batch) return false;
  const send = (sent: object) => void (Array.isArray(sent) && sendJson(response, 200, sent));
  await receiveBatch(session, batch, send, clientGone(response));
  if (!response.headersSent) response.writeHead(202).end();
  return true;
}

/** The newer protocol says it in the status too. */
const isUnknownMethod = (answer: object): boolean =>
  "error" in answer && (answer.error as { code?: unknown }).code === codes.method;

const idOf = (message: RpcMessage): Id | null => (message.kind === "request" ? message.id : null);

type Found =
  | { readonly id: string | null; readonly session: ClientSession }
  | { readonly status: number; readonly message: string };

function olderRefusal({ headers }: IncomingMessage): RpcError | undefined {
  const version = headers["mcp-protocol-version"];
  if (version === undefined || isModern(version) || protocols.some((known) => known === version)) return undefined;
  return new RpcError(codes.request, `MCP-Protocol-Version is not served; use one of ${protocols.join(", ")}.`);
}

function sessionFor(message: RpcMessage, request: IncomingMessage, sessions: HttpSessions): Found {
  const id = request.headers["mcp-session-id"];
  // Each request is independent there.
  if (message.kind === "request" && claimedRevision(message.params) !== undefined)
    return { id: null, session: sessions.passing() };
  if (message.kind === "notification" && isModern(request.headers["mcp-protocol-version"]))
    return { id: null, session: sessions.passing() };
  if (message.kind === "request" && message.method === "initialize")
    return sessions.open() ?? { status: 503, message: "Too many sessions; end one, or try again later." };
  if (typeof id !== "string") return { status: 400, message: "Mcp-Session-Id is missing; send initialize first." };
  const session = sessions.find(id);
  return session ? { id, session } : { status: 404, message: "There is no such session any more; send initialize." };
}

async function streamed(
  message: Extract<RpcMessage, { kind: "request" }>,
  session: ClientSession,
  response: ServerResponse,
  headers: Record<string, string>,
  keepAliveMs: number,
): Promise<void> {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    ...headers,
  });
  response.flushHeaders();
  const beat = setInterval(() => send(response, ": still here\n\n"), keepAliveMs);
  try {
    await session.receive(
      message,
      (sent) => void send(response, `event: message\ndata: ${JSON.stringify(sent)}\n\n`),
      clientGone(response),
    );
  } finally {
    clearInterval(beat);
    response.end();
  }
}
