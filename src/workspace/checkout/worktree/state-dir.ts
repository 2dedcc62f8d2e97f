// Our own folder in the repository, and the lines that keep git from seeing it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { entryAt, makeFolder } from "../../../platform/system/index.ts";
import { fail } from "../../../core/contract/index.ts";
import { isOwnLink, settleState, showState, type Repository } from "../../../platform/git/index.ts";
import { readUnder, writeUnder } from "../../../platform/paths/index.ts";

const ignoredNames = [".thehood/", ".thehood", ".thehood-work/", ".thehood-move-*", ".thehood-browser.json"];

/** The state folder, made when missing and shown in the checkout. */
export function stateFolder(repository: Repository): string {
  const path = quietStateFolder(repository);
  showState(repository);
  return path;
}

/** The same without a trace in the checkout. A link or a file in place of its name is refused: it is not ours. */
function quietStateFolder(repository: Repository): string {
  const mark = join(repository.top, ".thehood");
  const found = entryAt(mark);
  if (found && !found.isDirectory() && !isOwnLink(repository))
    fail("unsafe_repository", `${mark} is not a plain folder, so nothing can be kept in it safely.`, {
      remedy: "Look at what it is, remove it, then try again.",
    });
  return settleState(repository);
}

/** A folder inside it, by safe segments only. */
export function stateSubfolder(repository: Repository, ...segments: readonly string[]): string {
  return foldersIn(quietStateFolder(repository), segments);
}

/** The folder of worktrees in the checkout: tools that look for packages in the folders above find those of the checkout. */
export function workFolder(repository: Repository, ...segments: readonly string[]): string {
  return foldersIn(repository.top, [".thehood-work", ...segments]);
}

function foldersIn(base: string, segments: readonly string[]): string {
  let path = base;
  for (const segment of segments) {
    path = join(path, segment);
    const found = entryAt(path);
    if (!found) makeFolder(path);
    else if (!found.isDirectory())
      fail("unsafe_repository", `${path} is not a plain folder.`, { remedy: "Remove it, then try again." });
  }
  return path;
}

type ExcludeOutcome = "updated" | "already_ignored" | "not_git_repo";

/** Keeps `.git/info/exclude` (of the common folder, so that linked worktrees and submodules are covered too). */
export function ensureExcluded(repository: Repository | undefined): ExcludeOutcome {
  if (!repository) return "not_git_repo";
  const present = existsSync(join(repository.commonDir, "info", "exclude"));
  const text = present ? readUnder(repository.commonDir, "info/exclude").toString("latin1") : "";
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trimEnd()));
  const missing = ignoredNames.filter((name) => !lines.has(name) && !lines.has(`/${name}`));
  if (missing.length === 0) return "already_ignored";
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const bytes = Buffer.from(`${start}${missing.join("\n")}\n`, "latin1");
  writeUnder(repository.commonDir, "info/exclude", bytes, { parents: true });
  return "updated";
}
