// Where an MCP client may reach: a configured folder, else the folders the client names, else where we were started.
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import { isUnder } from "../roots.ts";
import { inputRequired, modernProtocol } from "../wire/envelope.ts";
import type { RpcCaller } from "../wire/session.ts";

export interface RootDeps {
  /** Null when the user has set none. */
  readonly configuredRoot: () => Promise<string | null>;
  readonly cwd: string;
}

const patience = 60_000;
const named = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/** Undefined for a folder that is not there, or on another machine. */
function folderAt(uri: string): string | undefined {
  try {
    return realpathSync(fileURLToPath(uri));
  } catch {
    // The client may name a folder that it has not made yet.
    return undefined;
  }
}

function folders(reply: unknown): string[] {
  const told = named.safeParse(reply);
  const found = (told.data?.roots ?? [])
    .filter(({ uri }) => uri.startsWith("file:"))
    .flatMap(({ uri }) => folderAt(uri) ?? []);
  return found.length > 0 ? found : refuseEmpty();
}

const question = { resultType: inputRequired, inputRequests: { roots: { method: "roots/list" } } } as const;

/** A client of the newer protocol is asked by returning the question; it then calls again with the answer. */
export async function rootsOf(
  responses: unknown,
  caller: RpcCaller,
  deps: RootDeps,
): Promise<{ readonly roots: readonly string[] } | typeof question> {
  const configured = await deps.configuredRoot();
  if (configured !== null) return { roots: [realpathSync(configured)] };
  if (!caller.client.namesRoots) return { roots: [realpathSync(deps.cwd)] };
  if (caller.client.protocol !== modernProtocol)
    return { roots: folders(await caller.ask("roots/list", {}, patience)) };
  const reply = z.object({ roots: named }).safeParse(responses);
  return reply.success ? { roots: folders(reply.data.roots) } : question;
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

/** An absolute path inside one of the roots, links followed; anything else is refused. */
export function confine(roots: readonly string[], base: string, path: string, name: string): string {
  const real = settle(isAbsolute(path) ? path : resolve(base, path));
  if (roots.some((root) => isUnder(root, real))) return real;
  return fail("permission_denied", `${name}: ${path} lies outside the folders this client may use.`, {
    remedy: `Allowed: ${roots.join(", ")}`,
  });
}
