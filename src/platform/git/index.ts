// The hardened door to git: every git process of this program starts here.
export { originOf, readRepositoryConfig } from "./config-read.ts";
export { parseConfig, settingKey, ConfigSyntaxError, type GitConfigEntry } from "./config-file.ts";
export { parseCommit, printCommit, subjectOf, type CommitText, type NewCommit } from "./commit-text.ts";
export { useUserVariables } from "./line-ends.ts";
export { findGit, gitProgram, useGitProgram } from "./environment.ts";
export { withGcPaused, bringIn, inTheOpen, missingAmong, removeStaleGcGuards } from "./gc-safe.ts";
export { parseIndex } from "./index-file.ts";
export { forgetWorktrees, linkedWorktree } from "./linked-worktrees.ts";
export { findRepository, requireRepository, type Repository } from "./locate.ts";
export { locateTrustedRepository, locateRepository, type RepositoryLocation } from "./location.ts";
export {
  gitOnce,
  gitOnceSync,
  isFullId,
  listTree,
  readBlobs,
  readBlobSync,
  rememberAnswer,
  writeEmptyTree,
  writeEmptyTreeSync,
  type TreeEntry,
} from "./objects.ts";
export { moveOwnRef, moveOwnRefs, type RefMove } from "./own-refs.ts";
export { askOwnRef, readOwnRef, readOwnRefs } from "./read-own-refs.ts";
export {
  fromBytePath,
  isUtf8,
  joinRecords,
  parseRaw,
  splitRecords,
  toBytePath,
  type BytePath,
  type RawChange,
} from "./records.ts";
export { git, gitSync, type GitOptions } from "./run.ts";
export {
  idLength,
  idOf,
  packOf,
  parseTree,
  printTree,
  readObjects,
  writeObjects,
  type FoundObject,
  type NewObject,
  type TreeRow,
} from "./write-objects.ts";
export { isOwnLink, settleState, showState, stateHome } from "./state-home.ts";
export { refuseTrackedState, stagedEntries, trackedRemedy, trackedState } from "./tracked-state.ts";
