// The door to what every room needs of the operating system.
export { systemCode } from "../../core/contract/index.ts";
export { binaryTools } from "./binary.ts";
export { copyText } from "./clipboard.ts";
export {
  ensureFolder,
  makeFolder,
  makeFolders,
  syncFile,
  syncFolder,
  writeDurably,
  writeWhole,
} from "./durable-file.ts";
export { isGitName, isReservedName, isStateName } from "./file-names.ts";
export { entryAt, removeFolder, targetAt, temporaryRoot } from "./files.ts";
export { exportedExpression, findInstalled, installedFile } from "./installed-file.ts";
export { kernelLock, tryKernelLock } from "./kernel-lock.ts";
export { showNotice } from "./notice.ts";
export { lazy, once } from "./once.ts";
export {
  createProcessMark,
  identityOf,
  isAlive,
  isDescendantOfRun,
  processesWithMark,
  processIds,
  startProgram,
  thisProcess,
  type Mark,
} from "./processes.ts";
export { createStreams, faultReport } from "./streams.ts";
export { clock, timers } from "./time.ts";
