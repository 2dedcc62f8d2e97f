// The door to the effects: everything that a run does outside of its log.
export { planChecks } from "./checks/discover.ts";
export { effectDeps } from "./deps.ts";
export { createEffects } from "./perform.ts";
export { scratchBases, scratchRoot } from "./scratch.ts";
