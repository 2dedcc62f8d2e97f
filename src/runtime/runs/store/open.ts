// The store of a repository's runs: the embedded one in its state folder, or the shared one that the user configured.
import type { RunEvent, Store } from "../../../core/contract/index.ts";
import type { RepositoryLocation } from "../../../platform/git/index.ts";
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
  const { repositoryKey } = await import("./repository-key.ts");
  return openSharedStore<RunEvent>({ ...shared, ...options, repo: repositoryKey(place) });
}
