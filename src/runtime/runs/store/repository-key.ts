// The name of a repository in a shared store. A start that lists runs does not load this.
import { hostname } from "node:os";
import { originOf, type RepositoryLocation } from "../../../platform/git/index.ts";

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
