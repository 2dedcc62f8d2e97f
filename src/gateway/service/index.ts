// The door to the service of the gateway.
export { createAuthenticate, type Authenticate, type GatewayCaller } from "./auth.ts";
export { workspaceDiff } from "./diff.ts";
export { envSubmission } from "./env.ts";
export { configurationAsk, Gateway } from "./gateway.ts";
export { sessionAsk, sandboxViewOf } from "./sessions.ts";
export { createTokens } from "./tokens.ts";
export { createVault } from "./vault.ts";
export { usualLimits, type GatewayLimits } from "./deps.ts";
