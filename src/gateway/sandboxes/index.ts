// The door to boxes: the port, and the provider that needs nothing.
export * from "./port.ts";
export { asFile, mustRun } from "./exec-files.ts";
export { folderBoxes } from "./folder.ts";
