// The remotes of a repository, from its own configuration.
import { readRepositoryConfig, type Repository } from "../../platform/git/index.ts";
import type { Remote } from "./remote.ts";

/** In their order. A remote without an address is none. */
export function remotesOf(repository: Repository): Remote[] {
  const entries = readRepositoryConfig(repository).filter(({ section }) => section === "remote");
  const names = [...new Set(entries.flatMap(({ subsection }) => subsection ?? []))];
  return names.flatMap((remote) => {
    const last = (...keys: readonly string[]) =>
      entries.findLast(({ subsection, name }) => subsection === remote && keys.includes(name))?.value ?? undefined;
    const pushUrl = last("pushurl");
    const url = last("url") ?? pushUrl;
    return url === undefined ? [] : [{ name: remote, url, pushUrl, resolved: last("gh-resolved", "glab-resolved") }];
  });
}
