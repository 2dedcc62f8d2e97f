// The door of the shared store. It is loaded only where an address is configured.
export { openSharedStore, type SharedStoreOptions } from "./open.ts";
export { connectTo, persistent, type Connection, type Row } from "./connection.ts";
export { migrate, removeSharedRuns } from "./migrate.ts";
export { schemaOf } from "./schema.ts";
export { openSessionShelf } from "./sessions.ts";
