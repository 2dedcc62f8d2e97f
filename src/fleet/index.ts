// The door of the fleet: many machines that advance the runs of one shared store.
export { offerRemote, remoteWaits } from "./connect.ts";
export { createFleet } from "./service.ts";
export type { FleetDeps } from "./deps.ts";
