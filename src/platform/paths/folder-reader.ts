// The files of a folder as the judge of patches reads them, without git. Links are not followed out of the folder.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { FailureError } from "../../core/contract/index.ts";
import type { TreeReader } from "../../core/patch/index.ts";
import { readUnder } from "./open.ts";

/** `paths`: the paths that are asked about; others are not listed. No file counts as edited: git is not asked. */
export function folderReader(dir: string, paths: readonly string[] = []): TreeReader {
  const entry = (path: string) => lstatSync(join(dir, path), { throwIfNoEntry: false });
  return {
    kind(path) {
      const found = entry(path);
      if (!found) return undefined;
      if (found.isDirectory()) return "directory";
      if (found.isSymbolicLink()) return "symlink";
      if (!found.isFile()) return "other";
      return (found.mode & 0o100) === 0 ? "file" : "executable";
    },
    content(path) {
      if (entry(path)?.isFile() !== true) return undefined;
      try {
        return readUnder(dir, path, { trusted: true });
      } catch (error) {
        if (error instanceof FailureError) return undefined;
        throw error;
      }
    },
    dirty: () => false,
    paths: () => paths.filter((path) => entry(path) !== undefined),
  };
}
