// The configuration files of this process: one reader for each folder, shared by all rooms.
import { createConfigFiles, type ConfigFiles, type Environment } from "../platform/config/index.ts";

const opened = new Map<string, ConfigFiles>();

export function configsOf({ configDir }: Pick<Environment, "configDir">): ConfigFiles {
  const files = opened.get(configDir) ?? createConfigFiles(configDir);
  opened.set(configDir, files);
  return files;
}
