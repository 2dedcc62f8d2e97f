// The door to worktrees: made for a worker, captured whole, pinned before anything is removed.
export { createWorktree, openWorktree, type CreateOptions } from "./create.ts";
export {
  captureChanges,
  type Capture,
  type CapturedChange,
  type CaptureFlags,
  type CaptureOptions,
} from "./capture.ts";
export { captureCheckout } from "./checkout.ts";
export { compareTrees, diffTrees, listChanges } from "./diff.ts";
export { commitTree, dropKept, listKept, pin, type KeptWork, type Pinned, type PinRequest } from "./keep.ts";
export {
  pinCapture,
  removeWorktree,
  retireWorktree,
  sweepWorktrees,
  type Removal,
  type SweepReport,
} from "./remove.ts";
export {
  describeRepository,
  parseStatus,
  readStatus,
  remotesOf,
  resolveCommit,
  treeOf,
  withoutUserinfo,
  type RepositoryFacts,
  headCommit,
} from "./describe.ts";
export { ensureExcluded, stateFolder, stateSubfolder, type ExcludeOutcome } from "./state-dir.ts";
export type { Worktree } from "./record.ts";
