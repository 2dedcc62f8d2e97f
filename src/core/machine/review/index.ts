// Review: trees, comparison of checks, validation, routing, critic, revision.
export * from "./blind.ts";
export * from "./blind-measure.ts";
export * from "./candidate.ts";
export * from "./critic.ts";
export * from "./protected.ts";
export * from "./revision.ts";
export * from "./routing.ts";
export * from "./check-comparison.ts";
export * from "./trees.ts";
export * from "./validation.ts";
export * from "./doubts.ts";
export * from "./measure.ts";
export * from "./open-text.ts";
