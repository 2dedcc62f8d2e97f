// The shape of a run's state.
export * from "./pass.ts";
export * from "./phase.ts";
export * from "./run.ts";
export * from "./side.ts";
