// Opens the files of a plan one after the other. The folder of the last file stays open, so that its neighbours need one
// step. No link is followed, also when one is swapped in meanwhile.
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type Stats } from "node:fs";
import { join, sep } from "node:path";
import { FailureError } from "../../../core/contract/index.ts";
import { holdParent, type OpenFolder } from "../../../platform/paths/index.ts";
import type { ExclusionReason } from "../shapes.ts";

type Opened =
  | { readonly fd: number; readonly stats: Stats; readonly close: () => void }
  | { readonly refused: ExclusionReason };

export interface FileOpener extends Disposable {
  /** Below the opener's root, or below another one. */
  readonly open: (path: string, below?: string) => Opened;
}

export function createOpener(root: string): FileOpener {
  let held: { path: string; below: string; folder: OpenFolder } | undefined;
  const release = () => {
    held?.folder.close();
    held = undefined;
  };
  const folderOf = (path: string, below: string): OpenFolder => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    if (held?.path === folder && held.below === below) return held.folder;
    release();
    held = { path: folder, below, folder: holdParent(below, path).folder };
    return held.folder;
  };
  return {
    open(path, below = root) {
      try {
        return openIn(below, path, folderOf(path, below));
      } catch (error) {
        const reason = refusalOf(error);
        if (reason === undefined) throw error;
        return { refused: reason };
      }
    },
    [Symbol.dispose]: release,
  };
}

function openIn(root: string, path: string, folder: OpenFolder): Opened {
  const spelled = folder.at(path.slice(path.lastIndexOf("/") + 1));
  const seen = lstatSync(spelled, { throwIfNoEntry: false });
  if (!seen) return { refused: "not_found" };
  if (seen.isSymbolicLink()) return { refused: leadsOut(root, path) ? "symlink_escape" : "symlink" };
  if (seen.isDirectory()) return { refused: "nested_repository" };
  if (!seen.isFile()) return { refused: "not_regular" };
  const fd = openSync(spelled, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  const stats = fstatSync(fd);
  if (stats.isFile()) return { fd, stats, close: () => closeSync(fd) };
  closeSync(fd);
  return { refused: "not_regular" };
}

/** Only to name the reason: the link is not followed either way. */
function leadsOut(root: string, path: string): boolean {
  try {
    return !realpathSync(join(root, path)).startsWith(root + sep);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === "string") return false;
    throw error;
  }
}

function refusalOf(error: unknown): ExclusionReason | undefined {
  if (error instanceof FailureError) {
    const reason = error.failure.details?.["reason"];
    if (reason === "symlink_escape") return "symlink_escape";
    if (reason === "symlink_write_through" || reason === "symlink_loop") return "symlink";
    return reason === "not_found" ? "not_found" : "not_readable";
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ELOOP") return "symlink";
  if (code === "ENOENT" || code === "ENOTDIR") return "not_found";
  return code === "EACCES" || code === "EPERM" || code === "ENXIO" || code === "ENAMETOOLONG"
    ? "not_readable"
    : undefined;
}
