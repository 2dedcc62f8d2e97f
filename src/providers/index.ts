// The door to the providers.
export * from "./conformance.ts";
export * from "./registry.ts";
export * from "./stub/index.ts";
