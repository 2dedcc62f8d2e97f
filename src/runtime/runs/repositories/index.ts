// The door to the repositories of this user: the known ones, and those that stay open between calls.
export { knownRepositories, rememberRepository } from "./known.ts";
export { createSharedRuns, type SharedRuns } from "./shared-runs.ts";
