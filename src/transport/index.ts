// The door of the transport: a desk over given parts.
export { createDesk, type DeskWorld } from "./desk/index.ts";
export { countTokens, prepareBundle } from "./files/index.ts";
export { openGitDoor, type GitWorld } from "./git/door.ts";
export type { UserGit } from "./git/user.ts";
export type { SpawnRunner } from "./detached/handover.ts";
export type { BundleReport, GitDoor, GitPlan, GitStep, PreparedBundle, RunWorld } from "./run/ports.ts";
export { sessionsRoot } from "./sessions/folder.ts";
