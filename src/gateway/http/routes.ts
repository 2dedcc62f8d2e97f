// The routes of users and services, as data: the server, the OpenAPI document and the checks of bodies come from here.
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { envKey, isReservedVariable } from "../rules/index.ts";
import {
  configurationRequest,
  envSubmission,
  sessionRequest,
  sandboxViewOf,
  type GatewayCaller,
  type Gateway,
} from "../service/index.ts";

interface RouteCall {
  readonly gateway: Gateway;
  readonly caller: Exclude<GatewayCaller, { source: "sandbox" }>;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly status?: number;
  handle(call: RouteCall): Promise<unknown>;
}

/** Ties a handler to the type of its body. */
const route = <B extends z.ZodType>(
  definition: Omit<Route, "handle" | "body"> & {
    readonly body: B;
    handle(call: Omit<RouteCall, "body"> & { readonly body: z.infer<B> }): Promise<unknown>;
  },
): Route => definition as Route;

const idOf = (params: Readonly<Record<string, string>>): string => params["id"] ?? "";
const message = z.object({ content: z.string().min(1).max(500_000) });
const secretValue = z.object({ value: z.string().max(64 << 10) });
const tokenRequest = z.object({
  kind: z.enum(["user", "service"]),
  name: z.string().regex(/^[A-Za-z0-9._-]{1,60}$/),
  days: z.number().int().min(1).max(365).default(30),
});

export const routes: readonly Route[] = [
  route({
    method: "POST",
    path: "/api/sessions",
    summary: "Make a session, and start it when `start` is true",
    body: sessionRequest,
    status: 201,
    handle: async ({ gateway, caller, body }) => sandboxViewOf(await gateway.sessions.create(body, caller.name)),
  }),
  {
    method: "GET",
    path: "/api/sessions",
    summary: "List sessions, the newest first",
    handle: async ({ gateway }) => ({
      sessions: (await gateway.deps.store.sessions(200)).map(sandboxViewOf),
    }),
  },
  {
    method: "GET",
    path: "/api/sessions/:id",
    summary: "Show a session",
    handle: async ({ gateway, params }) => sandboxViewOf(await gateway.sessions.find(idOf(params))),
  },
  {
    method: "POST",
    path: "/api/sessions/:id/start",
    summary: "Start the sandbox and the agent of a session",
    handle: async ({ gateway, params }) => sandboxViewOf(await gateway.sessions.start(idOf(params))),
  },
  {
    method: "POST",
    path: "/api/sessions/:id/stop",
    summary: "Stop the sandbox of a session; its tokens end with it",
    handle: async ({ gateway, params }) => sandboxViewOf(await gateway.sessions.stop(idOf(params))),
  },
  route({
    method: "POST",
    path: "/api/sessions/:id/message",
    summary: "Send the agent a message; its answer comes as events",
    body: message,
    status: 202,
    handle: async ({ gateway, params, body }) => {
      await gateway.sessions.message(idOf(params), body.content);
      return { accepted: true };
    },
  }),
  {
    method: "POST",
    path: "/api/sessions/:id/cancel",
    summary: "End the agent's current turn",
    handle: async ({ gateway, params }) => {
      await gateway.sessions.cancel(idOf(params));
      return { cancelled: true };
    },
  },
  route({
    method: "POST",
    path: "/api/sessions/:id/env",
    summary: "Submit variables; values are never returned",
    body: envSubmission,
    handle: ({ gateway, params, body }) => gateway.sessions.submitEnv(idOf(params), body),
  }),
  {
    method: "GET",
    path: "/api/sessions/:id/tool-invocations",
    summary: "The ledger of a session: tool, call id, outcome, effects",
    handle: async ({ gateway, params }) => {
      const { id } = await gateway.sessions.find(idOf(params));
      return { invocations: await gateway.deps.store.invocations(id) };
    },
  },
  {
    method: "GET",
    path: "/api/sessions/:id/history",
    summary: "The last events of a session, without the single tokens",
    handle: async ({ gateway, params }) => {
      const { id } = await gateway.sessions.find(idOf(params));
      return { events: await gateway.events.last(id) };
    },
  },
  {
    method: "GET",
    path: "/api/sessions/:id/diff",
    summary: "The change of the workspace against the state that it started with, as a patch",
    handle: async ({ gateway, params }) => ({ patch: await gateway.sessions.diff(idOf(params)) }),
  },
  {
    method: "POST",
    path: "/api/sessions/:id/token",
    summary: "A token of the session's current sandbox, for a program that takes its place",
    handle: async ({ gateway, params, caller }) => {
      if (!caller.admin) fail("permission_denied", "Only the administrator makes tokens.");
      return { token: gateway.sandboxToken(await gateway.sessions.find(idOf(params))) };
    },
  },
  route({
    method: "POST",
    path: "/api/configurations",
    summary: "Make a configuration: services, env files, secrets and a snapshot for later sessions",
    body: configurationRequest,
    status: 201,
    handle: ({ gateway, caller, body }) => gateway.addConfiguration(body, caller.name),
  }),
  {
    method: "GET",
    path: "/api/configurations",
    summary: "List configurations",
    handle: async ({ gateway }) => ({ configurations: await gateway.deps.store.configurations() }),
  },
  {
    method: "GET",
    path: "/api/configurations/:id",
    summary: "Show a configuration",
    handle: ({ gateway, params }) => gateway.configuration(idOf(params)),
  },
  {
    method: "GET",
    path: "/api/configurations/:id/secrets",
    summary: "List the names of the stored values",
    handle: async ({ gateway, params }) => {
      const { id } = await gateway.configuration(idOf(params));
      const stored = await gateway.deps.store.secrets(id);
      return { secrets: stored.map(({ key, keyId, updatedAt }) => ({ key, keyId, updatedAt })) };
    },
  },
  route({
    method: "PUT",
    path: "/api/configurations/:id/secrets/:key",
    summary: "Store a value, encrypted; it is never returned",
    body: secretValue,
    handle: async ({ gateway, params, body }) => {
      const { id } = await gateway.configuration(idOf(params));
      const { data: key } = envKey.safeParse(params["key"]);
      if (key === undefined || isReservedVariable(key))
        return fail("invalid_input", "This name cannot be stored: it is reserved, or it is not a variable name.");
      const { store, vault, clock } = gateway.deps;
      return { key, ...(await store.putSecret(vault.seal(id, key, body.value, clock.now()))) };
    },
  }),
  {
    method: "DELETE",
    path: "/api/configurations/:id/secrets/:key",
    summary: "Remove a stored value",
    handle: async ({ gateway, params }) => {
      const { id } = await gateway.configuration(idOf(params));
      return { removed: await gateway.deps.store.removeSecret(id, params["key"] ?? "") };
    },
  },
  {
    method: "GET",
    path: "/api/runs",
    summary: "List automation runs",
    handle: async ({ gateway }) => ({ runs: await gateway.deps.store.runs() }),
  },
  {
    method: "GET",
    path: "/api/snapshots",
    summary: "List snapshots",
    handle: async ({ gateway }) => ({ snapshots: await gateway.deps.store.snapshots() }),
  },
  {
    method: "GET",
    path: "/api/artifacts/:ref",
    summary: "One piece of evidence, as base64",
    handle: async ({ gateway, params }) => {
      const ref = params["ref"] ?? "";
      if (!/^sha256:[0-9a-f]{64}$/.test(ref)) return fail("not_found", "There is no such artifact.");
      return { ref, base64: Buffer.from(await gateway.deps.store.artifacts.read(ref)).toString("base64") };
    },
  },
  route({
    method: "POST",
    path: "/api/tokens",
    summary: "Make a token for a user or a service",
    body: tokenRequest,
    status: 201,
    handle: async ({ gateway, caller, body }) => {
      if (!caller.admin) fail("permission_denied", "Only the administrator makes tokens.");
      const expiresAt = gateway.deps.clock.now() + body.days * 86_400_000;
      const claims = { kind: body.kind, subject: body.name, generation: 0, expiresAt };
      return { token: gateway.deps.tokens.mint(claims), expiresAt };
    },
  }),
];
