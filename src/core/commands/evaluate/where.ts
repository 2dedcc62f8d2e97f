// What a line may delete and run without approval, by the place where it runs. On the user's machine: nothing. In a checkout:
// what git or a build brings back. In a sandboxed worktree: everything inside it, except git's own folder and files that
// steer other programs, whose effect outlives the worktree.
import { ANY, isLiteral } from "../lexer/pattern.ts";
import { steers } from "../paths/credentials.ts";
import { type PathClass, isScratch, isScratchFolder, resolveArgument } from "../paths/path-class.ts";
import type { Walk } from "./walk.ts";

/** Folders and files that a build or a test run creates again, by name. */
const rebuilt =
  /(^|\/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nyc_output|\.turbo|\.parcel-cache|\.next|coverage|htmlcov|dist|node_modules)$|\.(pyc|o|tsbuildinfo|egg-info)$/;

/** Removes `..` only at the start: after a name it may follow a link. */
const climbs = (text: string) => /[^./][^/]*\/+\.\.(\/|$)|\.\.[^/]+\/+\.\.(\/|$)/.test(text);

/** A pattern such as `.*`, which matches git's own folder. */
const matchesHidden = (path: string) => path.split("/").some((part) => part.startsWith(".") && !isLiteral(part));

/** In a sandbox nothing can be written at or below an absolute path whose folder does not exist. */
export const isNowhere = ({ setting }: Walk, path: string): boolean =>
  setting.where === "worktree" &&
  path.startsWith("/") &&
  isLiteral(path) &&
  !path.split("/").includes("..") &&
  setting.isMissing(path.slice(0, path.lastIndexOf("/")) || "/");

const folderOf = (walk: Walk) => (walk.cwd.kind === "inside" ? walk.cwd.segments.join("/") : "");

function isInside(walk: Walk, { kind, path }: PathClass): boolean {
  if (kind !== "inside" || path === "." || path === "" || path.includes(ANY)) return false;
  return !walk.setting.leadsAway(path) && !walk.setting.leadsAway(`${folderOf(walk)}/x`);
}

/** Whether this path can be deleted or emptied without approval. */
export function mayDelete(walk: Walk, text: string): boolean {
  const { where, baseFile } = walk.setting;
  if (where === "machine") return false;
  const location = resolveArgument(text, walk.cwd, walk.setting.root);
  if (where === "worktree" && location.kind === "outside")
    return isScratch(location.path) || isNowhere(walk, location.path);
  if (!isInside(walk, location) || climbs(text) || steers(location.path) !== undefined) return false;
  if (where === "worktree")
    return isLiteral(location.path) || !(matchesHidden(location.path) || walk.setting.hiddenFiles);
  return isLiteral(location.path) && (rebuilt.test(location.path) || baseFile(location.path) === "same");
}

/** Whether code of the project, also new code, can run in the current folder without approval: a sandbox confines it. */
export const mayRunCode = (walk: Walk) =>
  walk.setting.where === "worktree" &&
  (isScratchFolder(walk.cwd) || (walk.cwd.kind === "inside" && !walk.setting.leadsAway(`${folderOf(walk)}/x`)));
