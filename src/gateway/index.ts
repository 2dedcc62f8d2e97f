// The door of the gateway: its rules, and the shapes of its client.
export type { GatewayClient } from "./client/index.ts";
export * from "./rules/index.ts";
