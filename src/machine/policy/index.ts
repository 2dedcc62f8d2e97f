// The door to policy: defaults, merging, what passes without a person.
export * from "./auto.ts";
export * from "./defaults.ts";
export * from "./merge.ts";
export * from "./transfer.ts";
