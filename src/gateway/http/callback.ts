// `POST /proliferate/:sessionId/tools/:toolName`: the checks in their documented order, then the ledger.
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { bearerOf, sendJson } from "../../platform/http/index.ts";
import type { Authenticate, GatewayCaller, Gateway } from "../service/index.ts";
import type { SandboxSession } from "../store/index.ts";
import { bodyOf, refuseRequest } from "./answer.ts";

const body = z.object({
  tool_call_id: z
    .string()
    .min(1)
    .max(512)
    .regex(/^[\x21-\x7e][\x20-\x7e]*$/),
  args: z.record(z.string(), z.unknown()).default({}),
});
export const callbackBody = body;

export function authenticated(request: IncomingMessage, authenticate: Authenticate, bearer?: string): GatewayCaller {
  const given = request.rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name));
  if (given.length > 1) return refuseRequest(400, "There are two Authorization headers.");
  const token = bearer ?? bearerOf(request.headers);
  const needed = { "WWW-Authenticate": 'Bearer realm="thehood"' };
  if (token === "") return refuseRequest(401, "Missing authorization", needed);
  return authenticate(token) ?? refuseRequest(401, "Invalid token", needed);
}

/** The session of a sandbox's token. The token must be of this session and of its current sandbox; the session must run. */
export async function sandboxSession(
  gateway: Gateway,
  caller: GatewayCaller,
  sessionId: string,
): Promise<SandboxSession> {
  if (caller.source !== "sandbox") return refuseRequest(403, "Tool routes require sandbox authentication");
  if (caller.sessionId !== sessionId) return refuseRequest(403, "This token belongs to another session.");
  const session = await gateway.deps.store.session(sessionId);
  if (!session || session.status === "stopped" || session.status === "failed")
    return refuseRequest(403, "The session has ended.");
  if (session.generation !== caller.generation) return refuseRequest(403, "This token belongs to an earlier sandbox.");
  return session;
}

export async function callback(
  gateway: Gateway,
  authenticate: Authenticate,
  request: IncomingMessage,
  response: ServerResponse,
  { sessionId, toolName }: { readonly sessionId: string; readonly toolName: string },
): Promise<void> {
  const caller = authenticated(request, authenticate);
  const parsed = body.safeParse(await bodyOf(request, gateway.deps.limits));
  if (!parsed.success) {
    const first = parsed.error.issues[0];
    return refuseRequest(400, `Missing or invalid ${first?.path.join(".") || "body"}: ${first?.message ?? ""}`);
  }
  const session = await sandboxSession(gateway, caller, sessionId);
  const tool = gateway.toolFor(toolName) ?? refuseRequest(404, `Unknown tool: ${toolName.slice(0, 100)}`);
  const refusal = gateway.refusal(session, tool);
  if (refusal !== undefined) return refuseRequest(403, refusal);
  const end = await gateway.call(session, tool, parsed.data.tool_call_id, parsed.data.args);
  if (end.kind === "conflict")
    return refuseRequest(409, "This tool_call_id was used before with another tool or other arguments.");
  if (end.kind === "later") return refuseRequest(425, "The call is still being performed.", { "Retry-After": "1" });
  const { success, result, data } = end.result;
  sendJson(
    response,
    200,
    { success, result, ...(data === undefined ? {} : { data }) },
    end.replayed ? { "X-Replayed": "true" } : {},
  );
}
