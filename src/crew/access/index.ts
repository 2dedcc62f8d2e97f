// The door of the preflight: where data would go.
export { accessPurposes, modelAccess, type AccessRequest } from "./access.ts";
