// The door to the repository tools.
export * from "./operations.ts";
export type * from "./port.ts";
