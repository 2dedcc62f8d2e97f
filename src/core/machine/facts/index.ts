// The door to facts: questions that many rules ask of a run's state.
export * from "./baseline.ts";
export * from "./budget.ts";
export * from "./calls.ts";
export * from "./diff-parts.ts";
export * from "./confinement.ts";
export * from "./gates.ts";
export * from "./first-role.ts";
export * from "./names.ts";
export * from "./order.ts";
export * from "./passes.ts";
export * from "./placed.ts";
export * from "./product.ts";
export * from "./requested-commands.ts";
export * from "./result.ts";
