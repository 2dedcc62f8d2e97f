// The door to policy: its defaults, and what passes without a person.
export * from "./auto.ts";
export * from "./defaults.ts";
export * from "./transfer.ts";
