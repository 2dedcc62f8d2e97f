// The door to running gateways.
export { initProgram, toolCode } from "./built.ts";
export { openDev, type DevGateway } from "./dev.ts";
export { endpointsOf } from "./endpoints.ts";
export { openGateway, type GatewayOptions, type OpenGateway } from "./open.ts";
export { findOpencode, localFor, runningFile, serveGateway, type ServeGateway } from "./run.ts";
