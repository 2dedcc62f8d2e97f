// The door to the service of the gateway.
export { createAuthenticate, type Authenticate, type GatewayCaller, createTokens } from "./tokens.ts";
export { workspaceDiff } from "./runtime.ts";
export type { ActionInvocation } from "./actions.ts";
export { envSubmission } from "./env.ts";
export { evidenceFile, evidenceOf, type Evidence } from "./evidence.ts";
export { configurationRequest, Gateway } from "./gateway.ts";
export { sessionRequest } from "./create.ts";
export { sandboxViewOf } from "./sessions.ts";
export { createVault } from "./vault.ts";
export { usualLimits, type GatewayLimits } from "./deps.ts";
