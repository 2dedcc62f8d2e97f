// The door of the gateway: its rules and its client.
export { gatewayClient, type GatewayClient } from "./client.ts";
export { saveFiles } from "./save-files.ts";
export * from "./rules/index.ts";
