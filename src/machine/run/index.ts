// The door to the run machine: decide, evolve, next. Pure.
export { type Decision, decide, decideCreate } from "./decide/index.ts";
export { evolve, fold, refsIn } from "./evolve/index.ts";
export * from "./facts.ts";
export { gateTable } from "./gate/table.ts";
export { guestRole } from "./guest.ts";
export { awaited, due, dueBeside, next, nextInLoop } from "./next/index.ts";
export type { NewArtifact, World } from "./output.ts";
export { roleConflict } from "./call/ask.ts";
export * from "./review/index.ts";
export * from "./state/index.ts";
