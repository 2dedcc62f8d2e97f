// Facts that many rules derive from the state of a run.
export * from "./baseline.ts";
export * from "./budget.ts";
export * from "./cost.ts";
export * from "./delivery.ts";
export * from "./calls.ts";
export * from "./diff-parts.ts";
export * from "./gates.ts";
export * from "./names.ts";
export * from "./order.ts";
export * from "./passes.ts";
