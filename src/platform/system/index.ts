// The door to the few things that every room at the rim needs of the operating system.
export { binaryTools } from "./binary.ts";
export { systemCode } from "./codes.ts";
export { ensureFolder, makeFolder, syncFile, syncFolder, writeDurably, writeWhole } from "./durable-file.ts";
export {
  createProcessMark,
  processesWithMark,
  processIds,
  isDescendantOfRun,
  type Mark,
} from "./process-mark.ts";
export { identityOf, isAlive, thisProcess } from "./process-identity.ts";
export { temporaryRoot } from "./temporary.ts";
export { kernelLock, tryKernelLock } from "./kernel-lock.ts";
export { entryAt, targetAt } from "./entries.ts";
export { findInstalled, installedFile } from "./installed-file.ts";
export { lazy, once } from "./once.ts";
export { parseJson } from "./parse-json.ts";
export { removeFolder } from "./remove-folder.ts";
export { startProgram } from "./start-program.ts";
export { clock, timers } from "./time.ts";
export { createStreams, faultReport } from "./streams.ts";
