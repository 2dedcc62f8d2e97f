// The door to the rules of the gateway: pure, so that a table can prove them.
export * from "./box-files.ts";
export * from "./completion.ts";
export * from "./env-file.ts";
export * from "./hosts.ts";
export * from "./json.ts";
export * from "./ledger.ts";
export * from "./models.ts";
export * from "./opencode-config.ts";
export * from "./probe.ts";
export * from "./prompts.ts";
export * from "./session.ts";
export * from "./tool-files.ts";
export * from "./tools.ts";
