// The fleet: many machines that advance the runs of one shared store.
export { createFleet, offerRemote, type FleetWorld } from "./service.ts";
