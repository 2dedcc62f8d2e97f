// Where an MCP client may reach: a configured folder, else the folders the client names, else where we were started.
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { fail } from "../../../contract/index.ts";

export interface RootWorld {
  readonly configured: string | null;
  readonly cwd: string;
}

function folders(roots: readonly { uri: string }[]): string[] {
  return roots
    .filter(({ uri }) => uri.startsWith("file:"))
    .map(({ uri }) => realpathSync(fileURLToPath(uri)));
}

function offersRoots(envelope: object | undefined): boolean {
  const told = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return typeof told === "object" && told !== null && "roots" in told;
}

/** A client of the newer protocol is asked by returning the question; it then calls again with the answer. */
export async function rootsOf(
  server: McpServer,
  era: "legacy" | "modern",
  ctx: ServerContext,
  world: RootWorld,
): Promise<string[] | InputRequiredResult> {
  if (world.configured !== null) return [realpathSync(world.configured)];
  const own = [realpathSync(world.cwd)];
  if (era === "legacy") {
    if (server.server.getClientCapabilities()?.roots === undefined) return own;
    const named = folders((await server.server.listRoots()).roots);
    return named.length > 0 ? named : refuseEmpty();
  }
  if (!offersRoots(ctx.mcpReq.envelope)) return own;
  const told = inputResponse(ctx.mcpReq.inputResponses, "roots");
  if (told.kind !== "roots") return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
  const named = folders(told.roots);
  return named.length > 0 ? named : refuseEmpty();
}

function refuseEmpty(): never {
  return fail("permission_denied", "The client offers no folder to work in.", {
    remedy: "Open a folder in the client, or set mcpRoot in ~/.oracle/config.json.",
  });
}

/** The real place of a path, also of one that does not exist yet. */
function settle(path: string): string {
  for (let at = path, rest = ""; ; rest = at.slice(dirname(at).length) + rest, at = dirname(at)) {
    try {
      return realpathSync(at) + rest;
    } catch {
      if (dirname(at) === at) return path;
    }
  }
}

export const isUnder = (roots: readonly string[], path: string) =>
  roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));

/** An absolute path inside one of the roots, links followed; anything else is refused. */
export function confine(roots: readonly string[], base: string, path: string, name: string): string {
  const real = settle(isAbsolute(path) ? path : resolve(base, path));
  if (isUnder(roots, real)) return real;
  return fail("permission_denied", `${name}: ${path} lies outside the folders this client may use.`, {
    remedy: `Allowed: ${roots.join(", ")}`,
  });
}
