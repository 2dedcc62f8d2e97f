// The door to running gateways.
export { initProgram, toolCode } from "./built.ts";
export { openDev } from "./dev.ts";
export { endpointsOf } from "./endpoints.ts";
export { openGateway, type GatewayOptions, type OpenGateway } from "./open.ts";
export { serveGateway } from "./run.ts";
