// The door to what operations are given: the context of a call, and the ports behind it.
export * from "./context.ts";
export type * from "./repo.ts";
export type * from "./gateway.ts";
export type * from "./fleet.ts";
export type * from "./ports.ts";
export type * from "./queue.ts";
export type * from "./runs.ts";
export type * from "../../core/contract/setup/index.ts";
export type { Judges, PatchApplied, PatchCheckOptions, RepositoryReport } from "../../core/contract/index.ts";
export type { CompactStatus, FullView } from "../../core/machine/view/index.ts";
