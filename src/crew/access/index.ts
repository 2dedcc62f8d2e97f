// The door of the preflight: where data would go.
export { modelAccess, type AccessRequest } from "./access.ts";
