// The door of the preflight: where data would go.
export { modelAccess } from "./access.ts";
