// The door to the rules of the gateway: pure code, tested by tables.
export * from "./actions.ts";
export * from "./hosts.ts";
export * from "./json.ts";
export * from "./media-types.ts";
export * from "./ledger.ts";
export * from "./models.ts";
export * from "./opencode-config.ts";
export * from "./prompts.ts";
export * from "./public-contract.ts";
export * from "./requests.ts";
export * from "./sandbox-files.ts";
export * from "./session.ts";
export * from "./tools.ts";
export * from "./variables.ts";
