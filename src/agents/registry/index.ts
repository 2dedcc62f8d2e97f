// The door to the registry: which providers can be had, by name, and the models of each.
export * from "./registry.ts";
