// The hardened door to git: every git process of ours starts here.
export { findRepository, requireRepository, type Repository } from "./locate.ts";
export { forgetWorktrees, linkedWorktree } from "./linked-worktrees.ts";
export { git, gitSync, type GitOptions } from "./run.ts";
export { withGcPaused, bringIn, inTheOpen, isThere, removeStaleGcGuards } from "./gc-safe.ts";
export { writeEmptyTree, writeEmptyTreeSync } from "./empty-tree.ts";
export { listTree, type TreeEntry } from "./list-tree.ts";
export { isOwnLink, settleState, showState, stateHome } from "./state-home.ts";
export { locateTrustedRepository, locateRepository, type RepositoryLocation } from "./location.ts";
export { readBlobs, readBlobSync } from "./blobs.ts";
export { gitOnce, gitOnceSync, isFullId, rememberAnswer } from "./once.ts";
export { findGit, gitProgram, useGitProgram } from "./environment.ts";
export { originOf, readRepositoryConfig } from "./config-read.ts";
export { parseConfig, settingKey, ConfigSyntaxError, type GitConfigEntry } from "./config-file.ts";
export { parseIndex } from "./index-file.ts";
export { stagedEntries } from "./staged.ts";
export { refuseTrackedState, trackedRemedy, trackedState } from "./tracked-state.ts";
export {
  fromBytePath,
  isUtf8,
  joinRecords,
  parseRaw,
  splitRecords,
  toBytePath,
  type BytePath,
  type RawChange,
} from "./lists.ts";
