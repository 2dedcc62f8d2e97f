// The policy: its defaults and limits, and the gates that pass without a person.
export * from "./auto.ts";
export * from "./defaults.ts";
