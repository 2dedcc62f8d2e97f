// The routes of sessions: what a person does with one.
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { envSubmission, evidenceFile, evidenceOf, sandboxViewOf, sessionRequest } from "../service/index.ts";
import { idOf, route, type Route } from "./route.ts";

const message = z.object({ content: z.string().min(1).max(500_000) });
const snapshotMessage = z.object({ message: z.string().max(2000).default("") });
const restoration = z.object({ snapshotId: z.string().min(1).max(200) });

export const sessionRoutes: readonly Route[] = [
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
  {
    method: "POST",
    path: "/api/sessions/:id/env/decline",
    summary: "Close the agent's request for variables without values",
    handle: async ({ gateway, params }) => {
      await gateway.sessions.closeRequest(idOf(params));
      return { declined: true };
    },
  },
  {
    method: "GET",
    path: "/api/sessions/:id/evidence",
    summary: "The evidence of a session: each call of verify with its files",
    handle: async ({ gateway, params }) => {
      const { id } = await gateway.sessions.find(idOf(params));
      return { evidence: await evidenceOf(gateway.deps.store, id) };
    },
  },
  {
    method: "GET",
    path: "/api/sessions/:id/evidence/:ref",
    summary: "One file of the evidence, as base64",
    handle: async ({ gateway, params }) => {
      const { id } = await gateway.sessions.find(idOf(params));
      const { file, bytes } = await evidenceFile(gateway.deps.store, id, params["ref"] ?? "");
      return { ...file, base64: Buffer.from(bytes).toString("base64") };
    },
  },
  {
    method: "GET",
    path: "/api/sessions/:id/snapshots",
    summary: "The snapshots of a session and of its configuration",
    handle: async ({ gateway, params }) => ({ snapshots: await gateway.saved.of(idOf(params)) }),
  },
  route({
    method: "POST",
    path: "/api/sessions/:id/snapshots",
    summary: "Save a snapshot of the running sandbox",
    body: snapshotMessage,
    status: 201,
    handle: ({ gateway, params, body }) => gateway.saved.save(idOf(params), body.message),
  }),
  route({
    method: "POST",
    path: "/api/sessions/:id/restore",
    summary: "Start the session again from a snapshot; the present state is saved as a snapshot first",
    body: restoration,
    handle: async ({ gateway, params, body }) => {
      const { session, ...rest } = await gateway.saved.restore(idOf(params), body.snapshotId);
      return { session: sandboxViewOf(session), ...rest };
    },
  }),
];
