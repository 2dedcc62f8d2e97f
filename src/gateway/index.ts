// The door of the gateway: its rules.
export * from "./rules/index.ts";
