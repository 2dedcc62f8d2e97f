// A route of users and services, as data.
import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Gateway, GatewayCaller } from "../service/index.ts";

export interface RouteCall {
  readonly gateway: Gateway;
  readonly caller: Exclude<GatewayCaller, { source: "sandbox" }>;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
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
export const route = <B extends z.ZodType>(
  definition: Omit<Route, "handle" | "body"> & {
    readonly body: B;
    handle(call: Omit<RouteCall, "body"> & { readonly body: z.infer<B> }): Promise<unknown>;
  },
): Route => definition as Route;

export const idOf = (params: Readonly<Record<string, string>>): string => params["id"] ?? "";
