// The door of the store: an append-only log in SQLite, artifacts by hash, leases on runs.
export { createSpool } from "./spool.ts";
export { createArtifacts } from "./artifacts.ts";
export { canonicalJson } from "./canonical.ts";
export { connect, type Database, type Schema } from "./database.ts";
export { sha256 } from "./hashing.ts";
export { eventHash, genesis } from "./chain.ts";
export { createIds } from "./ids.ts";
export { openStore } from "./open.ts";
export { thisProcess } from "../system/index.ts";
