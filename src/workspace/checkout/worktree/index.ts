// The door to worktrees: made for a worker, captured whole, pinned before anything is removed.
export { createWorktree, openWorktree } from "./create.ts";
export { captureChanges, type Capture } from "./capture.ts";
export { captureCheckout, checkoutTree } from "./checkout.ts";
export { changedReading, createReading, retireReadings } from "./reading.ts";
export { mergeTrees } from "./merge.ts";
export { compareTrees, diffTrees, listChanges } from "./diff.ts";
export { dropPinnedFolder, listPinnedFolders } from "./ignored.ts";
export { commitTree, dropPinned, listPinned, pin } from "./pinned.ts";
export { pinCapture, removeWorktree, retireWorktree, sweepWorktrees } from "./remove.ts";
export { describeRepository, readStatus, treeOf, withoutUserinfo, headCommit } from "./describe.ts";
export { ensureExcluded, stateFolder, stateSubfolder } from "./state-dir.ts";
export { indexInfo, treeWith } from "./tree-with.ts";
export { settleWork } from "./settle.ts";
export { takeOutStashes } from "./stash.ts";
export { pinnedRefs, brokenPins, worktreeRuns } from "./pinned-refs.ts";
export type { Worktree } from "./record.ts";
