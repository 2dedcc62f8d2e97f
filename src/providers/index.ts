// The door to the providers.
export * from "./command/index.ts";
export * from "./conformance.ts";
export * from "./registry.ts";
export * from "./stub/index.ts";
