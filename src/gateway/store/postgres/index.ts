// The door of the gateway's store on the shared database. It is loaded only where an address is configured.
export { openSharedGatewayStore } from "./open.ts";
