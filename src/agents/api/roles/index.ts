// The door to endpoints as roles.
export { createEndpoints } from "./endpoints.ts";
