// The door to configuration: the user's file and the repository's, read once and written in one way.
export { createConfigFiles, previewConfigIn, type ConfigFiles, type ConfigScope } from "./files.ts";
export { readOracleConfigs, readOracleUserConfig } from "./oracle.ts";
export type { Environment } from "./shared-store.ts";
export { lineOf } from "./read-jsonc.ts";
export { backupOf, replaceFile } from "./write.ts";
