// The exports of the machine: decide, evolve, due, the policy and every derived view. Pure.
// The order inside (each folder imports only those before it) is held by tests/architecture.test.ts.
export { roleConflict } from "./call/ask.ts";
export { type DecideResult, decide, decideCreate } from "./decide/decide.ts";
export { evolve, fold, refsIn } from "./evolve/fold.ts";
export * from "./facts/index.ts";
export { type Flag, currentFlags, flags, hasFlag } from "./flags.ts";
export { autoApproval } from "./gate/auto.ts";
export { gateTable } from "./gate/table.ts";
export { readRunEvent, unknownIn } from "./known-events.ts";
export { awaited, due, dueOnSide, next, nextInLoop } from "./next/due.ts";
export type { NewArtifact, MachineDeps } from "./decision.ts";
export * from "./policy/index.ts";
export * from "./review/index.ts";
export * from "./state/index.ts";
export * from "./view/index.ts";
