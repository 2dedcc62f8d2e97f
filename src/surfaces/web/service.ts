// The HTTP service of the page. The guard comes first; then the files of the page, which need no access, and everything else
// for a tab with a session.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Spell } from "../../core/contract/index.ts";
import { bearerOf, foreign, isJson, needsToken, readBody, sendJson, type Served } from "../../platform/http/index.ts";
import type { Ports } from "../../operations/index.ts";
import type { OracleContext } from "../../operations/oracle/index.ts";
import { act, contextFor, failedAct, parseRequest, type PageCaller, type PageReach } from "./act.ts";
import { type PageFile, closed } from "./files.ts";
import { liveHome, liveRun, streaming } from "./live.ts";
import type { PairedDevices } from "./devices.ts";
import { pageDoors, readJson } from "./doors.ts";
import { PageSessions } from "./sessions.ts";

export interface PageServerDeps {
  readonly ports: Ports;
  /** The folder in which the server was started. */
  readonly folder: string;
  readonly version: string;
  readonly files: ReadonlyMap<string, PageFile>;
  /** Spells a suggestion as a command for a terminal. */
  readonly spell: Spell;
  readonly now: () => number;
  readonly devices: PairedDevices;
  oracle(signal: AbortSignal): Promise<OracleContext>;
  fault(error: unknown): void;
}

export interface PageService {
  readonly sessions: PageSessions;
  readonly handle: RequestListener;
}

const mostBytes = 100_000;

const turn = (response: ServerResponse, status: number, message: string, more: Record<string, string> = {}) =>
  sendJson(response, status, { ok: false, code: "refused", message, remedy: null }, { ...closed, ...more });

async function bodyOf(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
  if (!isJson(request.headers)) {
    turn(response, 415, "Content-Type must be application/json.");
    return undefined;
  }
  const text = await readBody(request, mostBytes);
  if (text !== null) return text;
  turn(response, 413, `The request is larger than ${mostBytes} bytes.`);
  return undefined;
}

export interface PageServing {
  readonly served: Served;
  readonly reach: PageReach;
  /** How many days a browser that is let in stays paired; 0 for never. */
  pairedDays(): number;
}

export function createPageService(deps: PageServerDeps, { served, reach, pairedDays }: PageServing): PageService {
  const sessions = new PageSessions(deps.now, (device) => deps.devices.has(device));
  const doors = pageDoors({ sessions, devices: deps.devices, reach, secure: served.secure === true, pairedDays });

  async function admit(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const open = doors[path];
    if (!open || request.method !== "POST") return false;
    const text = await bodyOf(request, response);
    if (text === undefined) return true;
    const { headers, socket } = request;
    const { status, body } = open(readJson(text), { headers, port: socket.localPort ?? 0, bearer: bearerOf(headers) });
    sendJson(response, status, body, closed);
    return true;
  }

  async function live(url: URL, bearer: string, caller: PageCaller, response: ServerResponse): Promise<void> {
    const { searchParams } = url;
    const context = await contextFor(deps, searchParams.get("repo") ?? undefined, caller);
    const runId = searchParams.get("run");
    const once = searchParams.get("once") === "1";
    const after = Math.max(0, Number(searchParams.get("after") ?? 0) || 0);
    await streaming(response, (write, signal) => {
      // A pairing may end while its page is open.
      const whilePaired: typeof write = async (message) => sessions.of(bearer) !== undefined && write(message);
      return runId === null
        ? liveHome(context, whilePaired, signal, once)
        : liveRun(context, { runId, after }, whilePaired, signal, once);
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const turned = foreign(request.headers, served, request.socket.localPort ?? 0);
    if (turned) return turn(response, turned.status, turned.message);
    const url = URL.parse(request.url ?? "", "http://localhost");
    const { method } = request;
    const file = url && deps.files.get(url.pathname);
    if (file && (method === "GET" || method === "HEAD")) {
      response.writeHead(200, { ...closed, "Content-Type": file.type, "Content-Length": file.bytes.length });
      response.end(method === "GET" ? file.bytes : undefined);
      return undefined;
    }
    if (await admit(url?.pathname ?? "", request, response)) return undefined;
    const bearer = bearerOf(request.headers);
    const session = sessions.of(bearer);
    if (!session) {
      const { status, message, headers } = needsToken("The server does not know this tab; open a new link.");
      return turn(response, status, message, { ...headers });
    }
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const caller = { session, reach, signal: gone.signal };
    if (url?.pathname === "/api/live" && method === "GET") return live(url, bearer, caller, response);
    if (url?.pathname !== "/api/do") return turn(response, 404, "Not found.");
    if (method !== "POST") return turn(response, 405, "Use POST.", { Allow: "POST" });
    const text = await bodyOf(request, response);
    if (text === undefined) return undefined;
    const result = await act(deps, parseRequest(text), caller);
    return sendJson(response, 200, { ok: true, result }, closed);
  }

  return {
    sessions,
    handle(request, response) {
      answer(request, response).catch((error: unknown) => {
        // A client that hung up is not an error.
        if (request.destroyed && response.destroyed) return;
        const { status, body } = failedAct(error, deps);
        if (response.headersSent) response.destroy();
        else sendJson(response, status, body, closed);
      });
    },
  };
}
