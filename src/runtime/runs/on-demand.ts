// The stores and the engine of one repository, each opened at its first use.
import type { ProviderRegistry, RunEvent, Store } from "../../core/contract/index.ts";
import type { Run } from "../../core/machine/index.ts";
import { once } from "../../platform/system/index.ts";
import type { RepositoryLocation } from "../../platform/git/index.ts";
import type { OpenEngine } from "./engine.ts";
import type { RunsDeps } from "./deps.ts";
import { openStoreOf } from "./store/open.ts";

/** A store and its runs. */
export interface Opened {
  readonly store: Store<RunEvent>;
  read(runId: string): Promise<Run>;
}

export interface OnDemand {
  /** The store for reading. */
  opened(): Promise<Opened>;
  providers(): Promise<ProviderRegistry>;
  /** The engine, with a store for writing. */
  moving(): Promise<OpenEngine>;
  close(): Promise<void>;
}

export function openOnDemand(place: RepositoryLocation, host: RunsDeps): OnDemand {
  // Once a run moves, the writer's own store is read: one for reading may have been opened before there was any.
  const all: Promise<Opened>[] = [];
  const providers = once(() => host.providers(place.root));
  return {
    providers,
    opened() {
      if (all.length === 0) {
        const opening = openToRead(place, host);
        all.push(opening);
        // A store that could not be opened is opened again at the next call.
        opening.catch(() => all.splice(all.indexOf(opening), 1));
      }
      return all.at(-1) as Promise<Opened>;
    },
    moving: once(async () => {
      const started = await openToMove(place, host, providers);
      all.push(Promise.resolve({ store: started.store, read: started.engine.read }));
      return started;
    }),
    async close() {
      for (const one of all.splice(0)) await (await one).store.close();
    },
  };
}

async function openToRead(place: RepositoryLocation, host: RunsDeps): Promise<Opened> {
  const store = await openStoreOf(place, host, { mode: "read" });
  const reader = once(async () => (await import("../engine/index.ts")).createRunReader(store.log));
  return { store, read: async (runId) => (await reader())(runId) };
}

async function openToMove(
  place: RepositoryLocation,
  host: RunsDeps,
  providers: () => Promise<ProviderRegistry>,
): Promise<OpenEngine> {
  const { makeStateFolder, openEngine } = await import("./engine.ts");
  const { commands, scratchFolders, evidenceDir, version } = host;
  const [made, secrets] = [await providers(), await host.secrets()];
  makeStateFolder(place);
  const plain = await openStoreOf(place, host, { mode: "write" });
  return openEngine({
    ...place,
    providers: made,
    secrets,
    commands,
    scratchFolders,
    version,
    classify: (argv, cwd, where) => host.classify(argv, place.root, cwd, where),
    evidenceDir,
    destinations: async () => (await host.configs(place.root)).user.destinations ?? [],
    store: (await host.packing?.(plain, place)) ?? plain,
  });
}
