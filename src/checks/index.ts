// The door to validation: finding checks in a tree, and running one on exactly one tree.
export { discoverChecks, followChecks } from "./discover/index.ts";
export { sweepScratch } from "./run/scratch.ts";
export { runCheck } from "./run/index.ts";
export { treeFiles } from "./tree/files.ts";
export { guardedTree } from "./tree/guard.ts";
export { sabotageControl } from "./sabotage/index.ts";
