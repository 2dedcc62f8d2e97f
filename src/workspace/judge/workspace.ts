// The things that the judge of commands is told about the workspace: its folder, and the tools and scripts that are there.
import { readdirSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { KnownWorkspace } from "../../core/commands/index.ts";
import { findRepository } from "../../platform/git/index.ts";
import { systemCode } from "../../platform/system/index.ts";
import { baseFiles } from "./base-files.ts";
import { contentOf } from "./file-content.ts";

/** A folder without installed tools is none of anybody's business. */
function installedIn(root: string): readonly string[] {
  try {
    return readdirSync(join(root, "node_modules/.bin"));
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}

/** `cwd` is the folder the command runs in, from the top; by default the given folder. */
export function workspaceOf(folder: string, cwd?: string): KnownWorkspace {
  const repository = findRepository(folder);
  const root = repository?.top ?? folder;
  return {
    root,
    cwd: cwd ?? (repository ? relative(root, realpathSync(folder)) : ""),
    installed: installedIn(root),
    content: contentOf(root),
    ...(repository ? { baseFile: baseFiles(repository) } : {}),
  };
}
