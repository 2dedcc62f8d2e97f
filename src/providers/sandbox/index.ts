// The door to agents in sandboxes of the gateway.
export { createSandboxRole, sandboxId } from "./role.ts";
