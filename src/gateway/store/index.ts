// The door to the gateway's store: the port, and the store on one SQLite file.
export * from "./port.ts";
export { openGatewayStore } from "./sqlite/open.ts";
