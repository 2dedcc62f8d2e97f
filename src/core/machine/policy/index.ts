// The policy: its defaults and limits, and the transfers that pass without a person.
export * from "./transfer.ts";
export * from "./defaults.ts";
