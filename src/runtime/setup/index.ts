// The door to setting up: the machine, the crew, the configuration, and the start of a run.
export type { SetupDeps } from "./deps.ts";
export { prepareRun } from "./prepare.ts";
export { priced, refuseUnusableAmong, resolveAssignment } from "./registry.ts";
export { createSetup } from "./setup.ts";
