// The door to the runs of one repository.
export type { RunsHost, SharedStore } from "./host.ts";
export { openRuns } from "./open.ts";
