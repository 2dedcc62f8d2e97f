// The door to the runs of one repository.
export type { RunsDeps } from "./deps.ts";
export { openRuns } from "./open.ts";
