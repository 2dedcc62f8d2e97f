// The door to checks: finding them in a tree, running one on exactly one tree, and testing whether it can fail.
export { runAgain } from "./repeat.ts";
export {
  compareTests,
  idleTests,
  lostReport,
  readBaseline,
  surroundingsOf,
  writeBaseline,
  type Baseline,
} from "./baseline.ts";
export { discoverChecks, followChecks } from "./discover/discover.ts";
export { usedByTests } from "./definitions/used-by-tests.ts";
export { missingNeeds } from "./missing-programs.ts";
export { sweepScratch } from "./run/scratch.ts";
export { runCheck } from "./run/run-check.ts";
export { treeFiles } from "./tree.ts";
export { guardedTree } from "./guarded-tree.ts";
export { sabotageControl } from "./sabotage/sabotage.ts";
export { changedFiles, changedTests } from "./sabotage/targets.ts";
