// The door to the providers.
export * from "./command/index.ts";
export * from "./registry.ts";
export * from "./stub/index.ts";
