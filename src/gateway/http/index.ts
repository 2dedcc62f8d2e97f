// The door to the gateway's server.
export { listenGateway, type GatewayServer } from "./server.ts";
export type { ModelEndpoints } from "./models.ts";
