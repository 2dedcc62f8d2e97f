// The store of a repository's runs: the embedded one in its state folder, or the shared one that the user configured.
import { hostname } from "node:os";
import type { RunEvent, Store } from "../../../core/contract/index.ts";
import { type RepositoryLocation, originOf } from "../../../platform/git/index.ts";
import { openStore } from "../../../platform/store/index.ts";
import { clock } from "../../../platform/system/index.ts";
import type { RunsDeps } from "../deps.ts";

interface OpenOptions {
  readonly mode: "read" | "write";
  readonly unknownIn?: (event: unknown) => string | undefined;
}

export async function openStoreOf(
  place: RepositoryLocation,
  host: Pick<RunsDeps, "sharedStore">,
  options: OpenOptions,
): Promise<Store<RunEvent>> {
  const shared = await host.sharedStore();
  if (!shared) return openStore<RunEvent>(place.stateDir, { clock, ...options });
  const { openSharedStore } = await import("../../../platform/store/postgres/index.ts");
  return openSharedStore<RunEvent>({ ...shared, ...options, repo: repositoryKey(place) });
}

/**
 * The address that the repository was cloned from, without a user's name or password, so that
 * every clone sees the same runs. A repository without one is known by its folder on this machine.
 */
export function repositoryKey({ root, repository }: RepositoryLocation): string {
  const origin = repository && originOf(repository);
  return origin ? plainAddress(origin) : `${hostname()}:${root}`;
}

/** `git@host:a/b.git`, `https://me@host/a/b` and `ssh://host/a/b` name one repository. */
function plainAddress(address: string): string {
  const short = /^(?:[^@/:]+@)?([^/:]+):(?!\/\/)(.+)$/.exec(address);
  const url = short ? undefined : URL.parse(address);
  const [host, path] = short ? [short[1], short[2]] : url?.host ? [url.host, url.pathname] : ["", address];
  const clean = (path ?? "").replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  return host === "" ? `file:${address.replace(/\/+$/, "")}` : `${host}/${clean}`;
}
