// The door of the shared store. It is loaded only where an address is configured.
export { openSharedStore, type SharedStoreOptions } from "./open.ts";
