// The door to validation: finding checks in a tree, running one on exactly one tree, and trying whether it can say no.
export { runAgain } from "./again.ts";
export { type Baseline, readBaseline, surroundingsOf, writeBaseline } from "./baseline.ts";
export { compareTests, idleTests, lostReport } from "./compare.ts";
export { discoverChecks, followChecks } from "./discover/index.ts";
export { usedByTests } from "./definitions/used-by-tests.ts";
export { missingNeeds } from "./missing-programs/index.ts";
export { sweepScratch } from "./run/scratch.ts";
export { runCheck } from "./run/index.ts";
export { treeFiles } from "./tree/files.ts";
export { guardedTree } from "./tree/guard.ts";
export { changedFiles, changedTests, sabotageControl } from "./sabotage/index.ts";
