// The door of the store: an append-only log in SQLite, artifacts by hash, leases on runs.
export { canonicalJson } from "./canonical.ts";
export { sha256 } from "./hashing.ts";
export { createIds } from "./ids.ts";
export { openStore, type StoreOptions } from "./open.ts";
export { thisProcess } from "../system/index.ts";
