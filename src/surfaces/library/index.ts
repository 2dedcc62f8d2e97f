// The door to the programming interface.
export * from "./hood.ts";
