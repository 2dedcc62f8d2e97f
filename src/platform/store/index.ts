// The door of the store: an append-only log in SQLite, artifacts by hash, leases on runs.
export { thisProcess } from "../system/index.ts";
export { createArtifacts } from "./artifacts.ts";
export { createSpool } from "./spool.ts";
export { canonicalJson, eventHash, genesis } from "./chain.ts";
export { copyStore } from "./copy.ts";
export { connect, type Database, type Schema } from "./database.ts";
export { sha256 } from "./hashing.ts";
export { createIds } from "./ids.ts";
export { openStore } from "./open.ts";
export { removeRuns, removeUnnamedArtifacts } from "./retention.ts";
