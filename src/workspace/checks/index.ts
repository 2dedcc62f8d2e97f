// The door to checks: finding them in a tree, running one on exactly one tree, and testing whether it can fail.
export { missingLargeFiles } from "./run/large-files.ts";
export { emptySubmodules } from "./run/submodules.ts";
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
export { openScratch, sweepScratch } from "./run/scratch.ts";
export { type CheckRun, runCheck, shownAt } from "./run/run-check.ts";
export { mountDependencies } from "./run/dependencies.ts";
export { nextSitecustomize, nodeClock, pythonClock } from "./run/clock.ts";
export { runnersNamed } from "./log/count.ts";
export { type Edit, scriptOf, type TreeFiles, treeFiles } from "./tree.ts";
export { loadedDoubts, type LoadedRun } from "./loaded/loaded.ts";
export { guardedTree } from "./guarded-tree.ts";
export { sabotageControl } from "./sabotage/sabotage.ts";
export { changedFiles, changedSource, changedTests } from "./sabotage/targets.ts";
export { looksAround } from "./surroundings.ts";
export { codeOnly, languageOf } from "./sabotage/language.ts";
export { change, type Insertion } from "./sabotage/break.ts";
export { narrowedTo } from "./narrow.ts";
export { readingTests, relevantTests } from "./sabotage/planted-files.ts";
export { unrunScripts, type UnrunScript } from "./discover/unrun.ts";
