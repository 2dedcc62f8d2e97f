// Setting up: the machine, the crew and the configuration.
import process from "node:process";
import type { Setup } from "../../core/contract/setup/index.ts";
import { ensureExcluded, stateFolder } from "../../workspace/checkout/worktree/index.ts";
import { locateTrustedRepository, locateRepository, type RepositoryLocation } from "../../platform/git/index.ts";
import { createConfigSetup } from "./config.ts";
import { createCrewSetup } from "./crew.ts";
import type { SetupDeps } from "./deps.ts";

const holds = async (place: RepositoryLocation): Promise<boolean> =>
  (await import("./preview/import.ts")).holdsPreview(place);

export function createSetup(deps: SetupDeps): Setup {
  return {
    ...createConfigSetup(deps),
    ...createCrewSetup(deps),
    async init(folder) {
      const place = await locateTrustedRepository(folder);
      if (!place.repository) return { folder: place.stateDir, exclude: "not_git_repo", preview: await holds(place) };
      const made = stateFolder(place.repository);
      return { folder: made, exclude: ensureExcluded(place.repository), preview: await holds(place) };
    },
    importPreview: async (folder, write) => (await import("./preview/import.ts")).importPreview(deps, folder, write),
    async doctor(folder, ask) {
      const place = locateRepository(folder);
      const { examineMachine } = await import("./doctor/examine.ts");
      const found = await examineMachine(place, deps, ask);
      return { version: deps.version, node: process.versions.node, repo: place.root, ...found };
    },
    demo: async (folder) => (await import("./demo.ts")).makeSample(deps.path, folder),
  };
}
