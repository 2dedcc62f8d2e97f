// Test only. A stranger's repositories, for driving our commands through them:
//
//   for (const canary of canaries) { const planted = plant(canary); …run a command on planted.dir…; planted.fired() }
import { together, type Canary } from "./canary.ts";
import { configCanaries, driverCanaries, everyDriver, hookCanaries, placeCanaries } from "./git-sinks.ts";
import { toolCanaries } from "./tool-sinks.ts";

export { plant, type Canary, type PlantedCanary } from "./canary.ts";
export { watchProcesses, type Watched } from "./watch.ts";

/** One sink a repository. */
export const canaries: readonly Canary[] = [
  ...hookCanaries,
  ...configCanaries,
  ...driverCanaries,
  ...placeCanaries,
  ...toolCanaries,
];

/** The same sinks in few repositories: what can stand together does. */
export const crowds: readonly Canary[] = [
  together("every hook", hookCanaries),
  together("every key of the configuration", configCanaries),
  everyDriver,
  together("every file that a tool would run", toolCanaries),
  ...placeCanaries,
];
