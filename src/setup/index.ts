// The door to setting up: the machine, the crew, the configuration, and a run's beginning.
import process from "node:process";
import type { Setup } from "../contract/setup/index.ts";
import { ensureExcluded, stateFolder } from "../checkout/worktree/index.ts";
import { findOwnPlace, findPlace } from "../git/index.ts";
import { createConfigSetup } from "./config.ts";
import { createCrewSetup } from "./crew.ts";
import type { SetupWorld } from "./world.ts";

export { prepareRun } from "./prepare.ts";
export { refuseUnusableAmong, resolveAssignment } from "./registry.ts";
export type { SetupWorld } from "./world.ts";

export function createSetup(world: SetupWorld): Setup {
  return {
    ...createConfigSetup(world),
    ...createCrewSetup(world),
    async init(folder) {
      const place = await findOwnPlace(folder);
      if (!place.repository) return { folder: place.stateDir, exclude: "not_git_repo" };
      const made = stateFolder(place.repository);
      return { folder: made, exclude: ensureExcluded(place.repository) };
    },
    async doctor(folder) {
      const place = findPlace(folder);
      const { examineMachine } = await import("./doctor/index.ts");
      const { checks, agents } = await examineMachine(place, world);
      return { version: world.version, node: process.versions.node, repo: place.root, checks, agents };
    },
    demo: async (folder) => (await import("./demo.ts")).makeSample(world.path, folder),
  };
}
