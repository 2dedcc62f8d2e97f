// The things that the judge of commands is told about the workspace: its folder, and the tools that are installed there.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findRepository } from "../git/index.ts";
import { systemCode } from "../system/index.ts";

/** A folder without installed tools is none of anybody's business. */
function installedIn(root: string): readonly string[] {
  try {
    return readdirSync(join(root, "node_modules/.bin"));
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}

export function workspaceOf(folder: string): {
  readonly root: string;
  readonly installed: readonly string[];
} {
  const root = findRepository(folder)?.top ?? folder;
  return { root, installed: installedIn(root) };
}
