// The door to the runs of one repository.
export type { RunsHost } from "./host.ts";
export { openRuns } from "./open.ts";
