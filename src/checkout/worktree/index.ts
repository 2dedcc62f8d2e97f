// The door to worktrees: made for a worker, captured whole, pinned before anything is removed.
export { createWorktree, openWorktree } from "./create.ts";
export { captureChanges, type Capture } from "./capture.ts";
export { captureCheckout, lookAtFiles } from "./checkout.ts";
export { changedReading, createReading, retireReadings } from "./reading.ts";
export { mergeTrees } from "./merge.ts";
export { compareTrees, diffTrees, listChanges } from "./diff.ts";
export { dropKeptFolder, listKeptFolders } from "./ignored.ts";
export { commitTree, dropKept, listKept, pin } from "./keep.ts";
export { pinCapture, removeWorktree, retireWorktree, sweepWorktrees } from "./remove.ts";
export { describeRepository, readStatus, treeOf, withoutUserinfo, headCommit } from "./describe.ts";
export { ensureExcluded, stateFolder, stateSubfolder } from "./state-dir.ts";
export { indexInfo, treeWith } from "./tree-with.ts";
export { settleWork } from "./settle.ts";
export { takeOutStashes } from "./stash.ts";
export { keptRefs, unreadableKept, worktreeRuns } from "./sound.ts";
export type { Worktree } from "./record.ts";
