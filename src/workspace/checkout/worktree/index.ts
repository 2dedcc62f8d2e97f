// The door to worktrees: made for a worker, captured whole, pinned before anything is removed.
export { createWorktree, openWorktree } from "./create.ts";
export { includedFiles, includedValues } from "./include.ts";
export { captureChanges, type Capture } from "./capture.ts";
export { changedReading, createReading, retireReading, retireReadings, type Reading } from "./review-worktree.ts";
export { compareTrees, diffTrees, listChanges } from "./diff.ts";
export { dropPinnedFolder, listPinnedFolders } from "./ignored.ts";
export { pinCapture, removeWorktree, retireWorktree, sweepWorktrees } from "./remove.ts";
export { describeRepository, headCommit, readStatus, rememberCommit, treeOf, withoutUserinfo } from "./describe.ts";
export { ensureExcluded, stateFolder, stateSubfolder } from "./state-dir.ts";
export { captureCheckout, checkoutTree, indexInfo, mergeTrees, treeWith } from "./make-tree.ts";
export { dropBase, dropPinnedBases, dropTip, pinBase, pinTip } from "./base-refs.ts";
export { dropSeenTrees, pinSeenTrees } from "./seen-trees.ts";
export { settleCheckout, settleWork, settleWorktree } from "./sync-to-disk.ts";
export { takeOutStashes } from "./stash.ts";
export { brokenPins, commitTree, dropPinned, listPinned, pin, pinnedRefs, worktreeRuns } from "./pinned.ts";
export type { Worktree } from "./record.ts";
