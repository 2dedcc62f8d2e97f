// The door to agents that speak the Agent Client Protocol.
export { createAcp } from "./provider.ts";
