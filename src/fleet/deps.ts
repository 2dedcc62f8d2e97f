// The dependencies of the fleet.
import type { RunEvent, Store } from "../core/contract/index.ts";
import type { RepositoryLocation } from "../platform/git/index.ts";
import type { UserGit } from "../platform/git/user/index.ts";
import type { RepositoryRuns } from "../operations/index.ts";
import type { FleetStore } from "./tables.ts";

/** The configured store that several machines share. */
export interface ConfiguredStore extends FleetStore {
  readonly cacheDir: string;
}

export interface FleetDeps {
  readonly store: ConfiguredStore | undefined;
  /** All runs of the team. */
  sharedStore(): Promise<Store<RunEvent>>;
  /** The name of a repository in the store. */
  keyOf(location: RepositoryLocation): Promise<string>;
  /** The runs of a folder; `packing` wraps their store. */
  runs(
    folder: string,
    packing?: (store: Store<RunEvent>, location: RepositoryLocation) => Promise<Store<RunEvent>>,
  ): Promise<RepositoryRuns>;
  /** The embedded store of a folder, or the database at an address. */
  openStore(
    folder: string,
    shared: (Partial<FleetStore> & { readonly url: string }) | undefined,
    mode: "read" | "write",
  ): Promise<Store<RunEvent>>;
  network(): Promise<UserGit["network"]>;
  readonly program: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}
