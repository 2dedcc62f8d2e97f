// The door to the registry: which providers can be had, by name.
export * from "./ids.ts";
export * from "./registry.ts";
