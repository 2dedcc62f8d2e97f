// The OpenAPI document, from the same schemas that check the bodies.
import { z } from "zod";
import { toolDefinitions } from "../rules/index.ts";
import { callbackBody } from "./callback.ts";
import { routes } from "./routes.ts";

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
const inBraces = (path: string): string => path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
const paramsOf = (path: string) =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const error = json({
  type: "object",
  required: ["error"],
  properties: { error: { type: "string" }, code: { type: "string" }, remedy: { type: "string" } },
});

function operation(path: string, summary: string, body: z.ZodType | undefined, statuses: readonly number[]) {
  const refusals = [400, 401, 403, 404, 409, 413, 415, 422, 500];
  return {
    summary,
    security: [{ bearer: [] }],
    parameters: paramsOf(path),
    ...(body ? { requestBody: { required: true, ...json(schemaOf(body)) } } : {}),
    responses: Object.fromEntries([
      ...statuses.map((status) => [status, { description: "done" }] as const),
      ...refusals.map((status) => [status, { description: "refused", ...error }] as const),
    ]),
  };
}

export function openApi(version: string): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, summary, body, status = 200 } of routes)
    (paths[inBraces(path)] ??= {})[method.toLowerCase()] = operation(path, summary, body, [status]);
  const tools = "/proliferate/:sessionId/tools/:toolName";
  paths[inBraces(tools)] = {
    post: operation(tools, "A tool callback of a sandbox", callbackBody, [200, 425]),
  };
  const events = "/api/sessions/:id/events";
  paths[inBraces(events)] = {
    get: operation(
      events,
      "The session's events: server-sent events, or a WebSocket; ?after=SEQ continues",
      undefined,
      [200, 101],
    ),
  };
  for (const path of ["/health", "/metrics", "/openapi.json"])
    paths[path] = { get: { summary: path.slice(1), responses: { 200: { description: "done" } } } };
  return {
    openapi: "3.1.0",
    info: { title: "TheHood gateway", version },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(toolDefinitions.map(({ name, args }) => [`tool_${name}`, schemaOf(args)])),
    },
    paths,
  };
}
