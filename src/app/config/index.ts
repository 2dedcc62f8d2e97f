// The door to configuration: the user's file, the repository's, and changing one value in either.
export { configPaths, readConfigs, readUserConfig, type Configs } from "./files.ts";
export { setConfigValue } from "./write.ts";
