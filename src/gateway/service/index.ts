// The door to the service of the gateway.
export { createAuthenticate, type Authenticate, type Caller } from "./auth.ts";
export type { CallEnd } from "./calls.ts";
export { workspaceDiff } from "./diff.ts";
export { envSubmission } from "./env.ts";
export { configurationAsk, Gateway } from "./gateway.ts";
export { sessionAsk, viewOf } from "./sessions.ts";
export { createTokens, type TokenKind, type Tokens } from "./tokens.ts";
export { createVault, type Vault } from "./vault.ts";
export { usualLimits, type GatewayLimits, type GatewayWorld } from "./world.ts";
