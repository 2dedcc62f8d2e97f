// The routes of users and services, as data: the server, the OpenAPI document and the checks of bodies come from here.
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { envKey, isReservedVariable } from "../rules/index.ts";
import { configurationRequest } from "../service/index.ts";
import { idOf, route, type Route } from "./route.ts";
import { publicRoutes } from "./public-routes.ts";
import { sessionRoutes } from "./session-routes.ts";

const secretValue = z.object({ value: z.string().max(64 << 10) });
const tokenRequest = z.object({
  kind: z.enum(["user", "service"]),
  name: z.string().regex(/^[A-Za-z0-9._-]{1,60}$/),
  days: z.number().int().min(1).max(365).default(30),
});

export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...publicRoutes,
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
      const id = await gateway.vaultOf(idOf(params));
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
      const id = await gateway.vaultOf(idOf(params));
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
      const id = await gateway.vaultOf(idOf(params));
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
