// The door to sandboxes: the port, and the provider that is only a folder.
export * from "./port.ts";
export { asFile, mustRun } from "./exec-files.ts";
export { folderSandboxes } from "./folder.ts";
