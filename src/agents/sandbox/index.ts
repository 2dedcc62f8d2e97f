// The door to agents in sandboxes of the gateway.
export { createSandboxRole } from "./role.ts";
