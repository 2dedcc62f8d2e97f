// The door of the transport: the transport over given parts.
export { createTransport, type TransportWorld } from "./service/index.ts";
export { countTokens, prepareBundle } from "./files/index.ts";
export { openGitDoor, type GitWorld } from "./git/door.ts";
export type { UserGit } from "../git/user/index.ts";
export type { SpawnRunner } from "./detached/handover.ts";
export type { BundleReport, GitDoor, GitPlan, GitStep, PreparedBundle, RunWorld } from "./ports/index.ts";
export { sessionsRoot } from "./sessions/folder.ts";
export { runSession } from "./detached/session-process.ts";
export { spawnRunner } from "./detached/spawn.ts";
export { doctor } from "./doctor/index.ts";
export { userGitReader } from "../git/user/index.ts";
