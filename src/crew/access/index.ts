// The door of the preflight: where data would go.
export {
  accessPurposes,
  modelAccess,
  type AccessReport,
  type AccessRequest,
  type Destination,
} from "./access.ts";
