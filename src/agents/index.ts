// The door to the providers.
export * from "./acp/index.ts";
export * from "./cli/index.ts";
export * from "./registry/index.ts";
export * from "./stub/index.ts";
export * from "./web/role.ts";
