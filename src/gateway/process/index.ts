// The door to running gateways.
export { actionsCode, initProgram, toolCode, serveGateway, endpointsOf } from "./serve.ts";
export { openDev } from "./dev.ts";
export { openGateway, type GatewayOptions, type OpenGateway } from "./open.ts";
