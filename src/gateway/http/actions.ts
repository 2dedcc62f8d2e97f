// `/proliferate/:sessionId/actions/…`: a sandbox lists, reads and invokes; only the administrator approves and denies.
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendJson } from "../../platform/http/index.ts";
import { actionRequest } from "../rules/index.ts";
import type { ActionInvocation, Authenticate, Gateway, GatewayCaller } from "../service/index.ts";
import type { SandboxSession } from "../store/index.ts";
import { bodyOf, refuseRequest } from "./answer.ts";
import { authenticated, sandboxSession } from "./callback.ts";

const guide = /^guide\/([^/]+)$/;
const decision = /^invocations\/([^/]+)\/(approve|deny)$/;
const invocation = /^invocations\/([^/]+)$/;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return refuseRequest(400, "The path is not encoded correctly.");
  }
}

interface ActionCall {
  readonly gateway: Gateway;
  readonly caller: GatewayCaller;
  readonly session: SandboxSession;
  readonly request: IncomingMessage;
}

function sendInvocation(response: ServerResponse, end: ActionInvocation | "conflict" | "later"): void {
  if (end === "conflict") return refuseRequest(409, "This id was used before with another action or other parameters.");
  if (end === "later") return refuseRequest(425, "The action is still being performed.", { "Retry-After": "1" });
  if (end.status === "failed")
    return sendJson(response, 422, { error: end.error ?? "The action failed.", invocation: end });
  const { status, result } = end;
  return sendJson(response, status === "pending" ? 202 : 200, {
    invocation: end,
    ...(status === "pending" ? {} : { result }),
  });
}

export async function serveActions(
  gateway: Gateway,
  authenticate: Authenticate,
  request: IncomingMessage,
  response: ServerResponse,
  { sessionId, rest }: { readonly sessionId: string; readonly rest: string },
): Promise<void> {
  const caller = authenticated(request, authenticate);
  const session =
    caller.source === "sandbox"
      ? await sandboxSession(gateway, caller, sessionId)
      : await gateway.sessions.find(sessionId);
  const call = { gateway, caller, session, request };
  return request.method === "GET" ? readActions(call, response, rest) : changeActions(call, response, rest);
}

async function readActions({ gateway, session }: ActionCall, response: ServerResponse, rest: string): Promise<void> {
  if (rest === "available") return sendJson(response, 200, gateway.actions.available());
  if (rest === "invocations") return sendJson(response, 200, { invocations: gateway.actions.pending(session.id) });
  const [, named] = guide.exec(rest) ?? [];
  if (named !== undefined) return sendJson(response, 200, gateway.actions.guide(decoded(named)));
  const [, id] = invocation.exec(rest) ?? [];
  if (id === undefined) return refuseRequest(404, "There is no such route.");
  return sendJson(response, 200, { invocation: await gateway.actions.find(session.id, decoded(id)) });
}

async function changeActions(call: ActionCall, response: ServerResponse, rest: string): Promise<void> {
  const { gateway, caller, session, request } = call;
  if (request.method !== "POST") return refuseRequest(405, "This route has another method.", { Allow: "GET, POST" });
  if (rest === "invoke") {
    if (caller.source !== "sandbox") return refuseRequest(403, "Only the sandbox of the session invokes actions.");
    const parsed = actionRequest.safeParse(await bodyOf(request, gateway.deps.limits));
    if (parsed.success) return sendInvocation(response, await gateway.actions.invoke(session, parsed.data));
    return refuseRequest(
      400,
      `The body is invalid: ${parsed.error.issues[0]?.path.join(".")} ${parsed.error.issues[0]?.message}`,
    );
  }
  const [, id, answer] = decision.exec(rest) ?? [];
  if (id === undefined) return refuseRequest(404, "There is no such route.");
  if (caller.source === "sandbox" || !caller.admin)
    return refuseRequest(403, "Only the administrator approves and denies actions.");
  const end = await gateway.actions.decide(session, decoded(id), answer === "approve");
  // A denial is what the caller wanted.
  return typeof end === "string" ? sendInvocation(response, end) : sendJson(response, 200, { invocation: end });
}
