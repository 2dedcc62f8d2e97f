// The client's side of the public agent contract, beside our own routes: sessions, messages, variables, evidence.
import { z } from "zod";
import { fail, FailureError } from "../../core/contract/index.ts";
import { canonicalJson, sha256 } from "../../platform/store/index.ts";
import {
  defaultModel,
  kindOf,
  publicMessage,
  publicSessionRequest,
  publicStatus,
  type PublicSessionRequest,
} from "../rules/index.ts";
import { envSubmission, evidenceFile, evidenceOf, type Gateway } from "../service/index.ts";
import type { SandboxSession } from "../store/index.ts";
import { idOf, route, type Route, type RouteCall } from "./route.ts";

const keyOf = ({ headers }: Pick<RouteCall, "headers">): string | undefined => {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  return typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)
    ? key
    : fail("invalid_input", "Idempotency-Key must be up to 200 characters without spaces.");
};

/** The fields by which a repeated request is the same request. */
const sameRequest = (session: SandboxSession, asked: PublicSessionRequest): boolean => {
  const { configurationId, model = defaultModel, tools, kind } = asked;
  const wanted = [configurationId, model, tools, kind];
  return (
    canonicalJson(wanted) === canonicalJson([session.configurationId, session.model, session.tools, kindOf(session)])
  );
};

async function createSession(gateway: Gateway, asked: PublicSessionRequest, by: string, key: string | undefined) {
  const id = key === undefined ? undefined : `ses_${sha256(JSON.stringify([by, key])).slice(0, 32)}`;
  const { kind, configurationId, systemPrompt, title, model, tools, runId } = asked;
  try {
    return await gateway.sessions.create(
      {
        ...(id === undefined ? {} : { id }),
        ...(title === undefined ? {} : { title }),
        kind,
        configurationId,
        systemPrompt,
        model: model ?? defaultModel,
        agentConfig: { tools: tools === null ? null : [...tools] },
        runId,
        start: false,
      },
      by,
    );
  } catch (error) {
    const known = error instanceof FailureError && error.failure.code === "conflict" && id !== undefined;
    const session = known ? await gateway.deps.store.session(id) : undefined;
    if (!session) throw error;
    return sameRequest(session, asked)
      ? session
      : fail("conflict", "This Idempotency-Key was used before with another request.");
  }
}

async function openSession({ gateway, caller, headers }: Omit<RouteCall, "body">, asked: PublicSessionRequest) {
  const key = keyOf({ headers });
  const made = await createSession(gateway, asked, caller.name, key);
  const started = asked.start && made.status === "pending" ? await gateway.sessions.start(made.id) : made;
  if (asked.initialPrompt !== null)
    await gateway.messageOnce(made.id, `initial:${key ?? made.id}`, asked.initialPrompt);
  const configuration =
    made.configurationId === null ? undefined : await gateway.deps.store.configuration(made.configurationId);
  return {
    sessionId: made.id,
    configurationId: made.configurationId,
    status: started.status,
    hasSnapshot: Boolean(configuration?.snapshotId),
    sandbox: started.boxId === null ? null : { sandboxId: started.boxId, previewUrl: null },
  };
}

const found = ({ gateway, params }: Pick<RouteCall, "gateway" | "params">) => gateway.sessions.find(idOf(params));

/** The evidence as the contract lists it; `key` is the prefix that `verify` returned, with the path. */
async function media({ gateway, params, query }: RouteCall): Promise<unknown> {
  const { id } = await found({ gateway, params });
  const all = await evidenceOf(gateway.deps.store, id);
  const files = all.flatMap(({ prefix, at, files: of }) =>
    of.map(({ path, bytes, mediaType, ref }) => ({
      ref,
      file: {
        key: `${prefix}/${path}`,
        name: path.split("/").at(-1),
        path,
        contentType: mediaType,
        size: bytes,
        lastModified: new Date(at).toISOString(),
      },
    })),
  );
  const key = query.get("key");
  if (key === null) {
    const prefix = query.get("prefix") ?? "";
    return { files: files.filter(({ file }) => file.key.startsWith(prefix)).map(({ file }) => file) };
  }
  const one = files.find(({ file }) => file.key === key) ?? fail("not_found", "The session has no such evidence.");
  const { bytes } = await evidenceFile(gateway.deps.store, id, one.ref);
  return { key, contentType: one.file.contentType, base64: Buffer.from(bytes).toString("base64") };
}

export const publicRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/proliferate/sessions",
    summary: "Make a session by the names of the public contract; Idempotency-Key makes it once",
    body: publicSessionRequest,
    status: 201,
    handle: ({ body, ...call }) => openSession(call, body),
  }),
  {
    method: "GET",
    path: "/proliferate/sessions/:id/status",
    summary: "Whether a session runs or has ended",
    handle: async (call) => {
      const { status, updatedAt, error, outcome } = await found(call);
      const over = status === "stopped" || status === "failed";
      const end = over ? { terminatedAt: new Date(updatedAt).toISOString(), reason: error ?? outcome ?? status } : {};
      return { state: over ? "terminated" : "running", status, ...end };
    },
  },
  {
    method: "GET",
    path: "/proliferate/:id",
    summary: "The sandbox of a session",
    handle: async (call) => {
      const { id, boxId, status } = await found(call);
      return { sessionId: id, sandboxId: boxId, status: publicStatus(status) };
    },
  },
  route({
    method: "POST",
    path: "/proliferate/:id/message",
    summary: "Send the agent a message; Idempotency-Key sends it once",
    body: publicMessage,
    handle: async ({ gateway, params, headers, body }) => {
      await gateway.messageOnce(idOf(params), keyOf({ headers }), body.content);
      return { ok: true };
    },
  }),
  {
    method: "POST",
    path: "/proliferate/:id/cancel",
    summary: "End the agent's current turn",
    handle: async ({ gateway, params }) => {
      await gateway.sessions.cancel(idOf(params));
      return { ok: true };
    },
  },
  route({
    method: "POST",
    path: "/proliferate/:id/env",
    summary: "Submit variables; values are never returned",
    body: envSubmission,
    handle: ({ gateway, params, body }) => gateway.sessions.submitEnv(idOf(params), body),
  }),
  {
    method: "POST",
    path: "/proliferate/:id/heartbeat",
    summary: "Answers while the session exists; sandboxes here have no idle limit",
    handle: async (call) => ({ ok: true, status: publicStatus((await found(call)).status) }),
  },
  {
    method: "POST",
    path: "/proliferate/:id/eager-start",
    summary: "Start the sandbox and the agent of a session",
    handle: async ({ gateway, params }) => {
      const { status } = await gateway.sessions.start(idOf(params));
      return { ok: true, status: publicStatus(status) };
    },
  },
  {
    method: "GET",
    path: "/proliferate/:id/verification-media",
    summary: "The evidence of a session: `prefix` lists, `key` is one file as base64",
    handle: media,
  },
];

/** The messages that a client sends over the WebSocket of the contract. */
export const publicClientMessage = z.discriminatedUnion("type", [
  publicMessage.extend({ type: z.literal("prompt") }),
  z.object({ type: z.literal("save_snapshot"), message: z.string().max(2000).optional() }),
  ...(["ping", "cancel", "get_status", "get_messages"] as const).map((type) => z.object({ type: z.literal(type) })),
]);
