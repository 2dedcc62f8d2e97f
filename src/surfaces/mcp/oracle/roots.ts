// The folders that an MCP client may use: a configured folder, else the folders that the client names, else the one that
// the server was started in.
import { realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fail, recordOf } from "../../../core/contract/index.ts";
import type { HostPaths, LocatedPath } from "../../../operations/oracle/host/index.ts";
import { isUnder } from "../roots.ts";
import { inputRequired, modernProtocol } from "../wire/envelope.ts";
import type { RpcCaller } from "../wire/session.ts";

export interface RootDeps {
  /** Null when the user has set none. */
  readonly configuredRoot: () => Promise<string | null>;
  readonly cwd: string;
}

const rootsTimeoutMs = 60_000;

/** The addresses of folders in the reply of a client; undefined when the reply has another form. */
function addresses(reply: unknown): string[] | undefined {
  const { roots } = recordOf(reply);
  if (!Array.isArray(roots)) return undefined;
  const found = roots.map((root) => recordOf(root)["uri"]);
  return found.every((uri) => typeof uri === "string") ? found : undefined;
}

/** Undefined for a folder that does not exist, or on another machine. */
function folderAt(uri: string): string | undefined {
  try {
    return realpathSync(fileURLToPath(uri));
  } catch {
    // The client may name a folder that it has not made yet.
    return undefined;
  }
}

function folders(uris: readonly string[] = []): string[] {
  const found = uris.filter((uri) => uri.startsWith("file:")).flatMap((uri) => folderAt(uri) ?? []);
  if (found.length > 0) return found;
  return fail("permission_denied", "The client offers no folder to work in.", {
    remedy: "Open a folder in the client, or set mcpRoot in ~/.oracle/config.json.",
  });
}

const question = { resultType: inputRequired, inputRequests: { roots: { method: "roots/list" } } } as const;

/** A client of the newer protocol gets the question as the result; it then calls again with the answer. */
export async function rootsOf(
  responses: unknown,
  caller: RpcCaller,
  deps: RootDeps,
): Promise<readonly string[] | typeof question> {
  const configured = await deps.configuredRoot();
  if (configured !== null) return [realpathSync(configured)];
  if (!caller.client.namesRoots) return [realpathSync(deps.cwd)];
  if (caller.client.protocol !== modernProtocol)
    return folders(addresses(await caller.ask("roots/list", {}, rootsTimeoutMs)));
  const uris = addresses(recordOf(responses)["roots"]);
  return uris === undefined ? question : folders(uris);
}

/** The real location of a path, also of one that does not exist yet. */
function realLocation(path: string): string {
  for (let at = path, rest = ""; ; rest = at.slice(dirname(at).length) + rest, at = dirname(at)) {
    try {
      return realpathSync(at) + rest;
    } catch {
      if (dirname(at) === at) return path;
    }
  }
}

function probe(path: string): LocatedPath["found"] {
  try {
    const found = statSync(path);
    return { isFile: found.isFile(), bytes: found.size };
  } catch {
    // Nothing can be read there: the code that opens it reports why.
    return undefined;
  }
}

export const pathsIn = (roots: readonly string[]): HostPaths => ({
  roots,
  locate(path, base) {
    const real = realLocation(resolve(base, path));
    const root = roots.find((one) => isUnder(one, real));
    return { real, inRoot: root === undefined ? undefined : relative(root, real), found: probe(real) };
  },
});
