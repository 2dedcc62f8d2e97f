// Forwards a request of a sandbox to its model: the sandbox sends its own token, and the real key is added here.
import { request as requestHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import { bearerOf } from "../../platform/http/index.ts";
import type { Authenticate, Gateway } from "../service/index.ts";
import { bodyText, refuseRequest } from "./answer.ts";
import { authenticated, sandboxSession } from "./callback.ts";

interface ModelEndpoint {
  /** Ends before the part that OpenCode adds, as in `https://api.anthropic.com/v1`. */
  readonly url: string;
  readonly key: string | null;
}
export type ModelEndpoints = Readonly<Record<"anthropic" | "litellm", ModelEndpoint | undefined>>;

const limits = { bodyBytes: 64 << 20, bodyMs: 60_000 } as const;
const silentMs = 10 * 60_000;
/** Only these headers are forwarded: no cookies, hosts or tokens of the sandbox. */
const forwarded = /^(content-type|accept|user-agent|anthropic-(version|beta)|x-stainless-.*)$/;

export async function forwardToModel(
  gateway: Gateway,
  authenticate: Authenticate,
  endpoints: ModelEndpoints,
  request: IncomingMessage,
  response: ServerResponse,
  { wire, rest }: { readonly wire: string; readonly rest: string },
): Promise<void> {
  const shown = request.headers["x-api-key"];
  const caller = authenticated(request, authenticate, typeof shown === "string" ? shown : bearerOf(request.headers));
  if (caller.source !== "sandbox") return refuseRequest(403, "Only a sandbox may use this route.");
  await sandboxSession(gateway, caller, caller.sessionId);
  if (wire !== "anthropic" && wire !== "litellm") return refuseRequest(404, `There is no model endpoint ${wire}.`);
  const endpoint = endpoints[wire];
  if (!endpoint) return refuseRequest(503, `No ${wire} endpoint is set for this gateway.`);
  if (rest.split("/").includes("..")) return refuseRequest(400, "This path is not served.");
  const body = await bodyText(request, limits);
  const target = new URL(`${endpoint.url.replace(/\/+$/, "")}/${rest}`);
  const headers: Record<string, string> = { "content-length": String(Buffer.byteLength(body)) };
  for (const [name, value] of Object.entries(request.headers))
    if (forwarded.test(name) && typeof value === "string") headers[name] = value;
  if (endpoint.key !== null)
    headers[wire === "anthropic" ? "x-api-key" : "authorization"] =
      wire === "anthropic" ? endpoint.key : `Bearer ${endpoint.key}`;
  return pipeOn(target, request.method ?? "POST", headers, body, response);
}

function pipeOn(
  target: URL,
  method: string,
  headers: Record<string, string>,
  body: string,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const ask = target.protocol === "https:" ? requestHttps : requestHttp;
    const sent = ask(target, { method, headers, timeout: silentMs }, (answer) => {
      const type = answer.headers["content-type"] ?? "application/json";
      response.writeHead(answer.statusCode ?? 502, { "Content-Type": type, "Cache-Control": "no-store" });
      answer.pipe(response);
      answer.once("end", resolve);
      answer.once("error", () => response.destroy());
    });
    sent.once("timeout", () => sent.destroy(new Error("the model was silent for too long")));
    sent.once("error", (error) => {
      if (!response.headersSent) return reject(Object.assign(new Error(error.message), { status: 502 }));
      response.destroy();
      return resolve();
    });
    response.once("close", () => sent.destroy());
    sent.end(body);
  });
}
