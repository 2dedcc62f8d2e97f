// Which configuration is in force: the user's file and the repository's. Each is read and parsed once, and again only when
// it has changed: a server that lives for days must not go on with rules that the user has tightened since.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { repoConfig, userConfig, type Configs, type UserConfig } from "../contract/index.ts";
import { systemCode } from "../system/index.ts";
import { readJsonc } from "./read-jsonc.ts";
import { setConfigValues, type ConfigEntry } from "./write.ts";

/** `user`: the user's own file. `repo`: the file in the state folder of one repository. */
export type ConfigScope = "user" | "repo";

export interface ConfigFiles {
  user(): UserConfig;
  at(repoRoot: string): Configs;
  userFile(): string;
  repoFile(repoRoot: string): string;
  setUser(entries: readonly ConfigEntry[]): void;
  set(scope: ConfigScope, repoRoot: string, entries: readonly ConfigEntry[]): void;
}

interface Parsed {
  readonly mark: string | undefined;
  readonly value: unknown;
}

/** Another mark means another content: every writer that we know of leaves another inode or time. */
function markOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : "none";
  } catch (error) {
    // The reader tells the problem of the file each time it is asked.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

export function createConfigFiles(configDir: string): ConfigFiles {
  const parsed = new Map<string, Parsed>();
  function read<T>(path: string, schema: z.ZodType<T>, otherwise: T): T {
    const mark = markOf(path);
    const known = parsed.get(path);
    // One path has one schema, so that the value kept for it has the type that is asked for.
    if (mark !== undefined && known?.mark === mark) return known.value as T;
    const value = readJsonc(path, schema) ?? otherwise;
    parsed.set(path, { mark, value });
    return value;
  }
  const userFile = (): string => join(configDir, "config.json");
  const repoFile = (repoRoot: string): string => join(repoRoot, ".thehood", "config.json");
  const user = (): UserConfig => read(userFile(), userConfig, { version: 1 });
  return {
    user,
    at: (repoRoot) => ({ user: user(), repo: read(repoFile(repoRoot), repoConfig, { version: 1 }) }),
    userFile,
    repoFile,
    setUser: (entries) => setConfigValues(userFile(), userConfig, entries),
    set: (scope, repoRoot, entries) =>
      scope === "user"
        ? setConfigValues(userFile(), userConfig, entries)
        : setConfigValues(repoFile(repoRoot), repoConfig, entries),
  };
}
