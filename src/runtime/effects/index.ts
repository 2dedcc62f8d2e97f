// The door to the effects: everything that a run does outside of its log.
export { planChecks, withLacks } from "./checks/discover.ts";
export { knownResult } from "./checks/known-results.ts";
export { runCheck } from "./checks/run-check.ts";
export { effectDeps } from "./deps.ts";
export { createEffects } from "./perform.ts";
export { scratchBases, scratchRoot } from "./scratch.ts";
