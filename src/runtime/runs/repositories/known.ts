// The repositories in which this user has started runs: one small file each, so that two starts at once disturb nothing.
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { locateRepository } from "../../../platform/git/index.ts";
import { systemCode, writeWhole } from "../../../platform/system/index.ts";

/** Loaded when a repository is remembered: looking needs none of it. */
const nameOf = (root: string): string =>
  process.getBuiltinModule("node:crypto").hash("sha256", root, "hex").slice(0, 32);

const folderIn = (stateDir: string): string => join(stateDir, "repositories");

/** Remembered once; a start after that costs one look. A folder that cannot be written loses only the memory. */
export function rememberRepository(stateDir: string, root: string): void {
  const folder = folderIn(stateDir);
  const path = join(folder, nameOf(root));
  if (existsSync(path)) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(path, `${path}.${process.pid}`, Buffer.from(`${root}\n`));
  } catch (error) {
    if (!["EACCES", "EROFS", "ENOSPC", "EPERM", "ENOTDIR", "ENOENT"].includes(systemCode(error) ?? "")) throw error;
  }
}

/** Those that still hold runs, sorted. */
export function knownRepositories(stateDir: string): string[] {
  const folder = folderIn(stateDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{32}$/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8").trimEnd())
    .filter((root) => existsSync(root) && existsSync(join(locateRepository(root).stateDir, "store.db")))
    .sort();
}
