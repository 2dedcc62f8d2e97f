// The door to configuration: the user's file, the repository's, and changing one value in either.
export { configPaths, readConfigs, readUserConfig } from "./files.ts";
export type { Environment } from "./environment.ts";
export { readJsonc } from "./read-jsonc.ts";
export { setConfigValue } from "./write.ts";
