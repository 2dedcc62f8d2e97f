// The door to what operations tell of runs: surfaces show it.
export { attended } from "./attended.ts";
export { briefOf, compactRow, type ListedRuns } from "./row.ts";
export type { Beside, SideResult } from "./beside.ts";
export type { Decided } from "./decide.ts";
export type { Demo } from "./demo.ts";
export type { Executed } from "./exec.ts";
export type { Standing } from "./standing.ts";
export type { Watched } from "./watched.ts";
