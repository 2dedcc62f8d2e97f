// Our own folder in the repository, and the lines that keep git from seeing it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { entryAt, makeFolder } from "../../system/index.ts";
import { fail } from "../../contract/index.ts";
import type { Repository } from "../../git/index.ts";
import { readUnder, writeUnder } from "../../paths/index.ts";

const ignoredNames = [".thehood/", ".thehood-browser.json"];

/** `<repo>/.thehood`, made when missing. A link or a file in its place is refused: a stranger put it there. */
export function stateFolder(repository: Repository): string {
  const path = join(repository.top, ".thehood");
  const found = entryAt(path);
  if (!found) makeFolder(path);
  else if (!found.isDirectory())
    fail("unsafe_repository", `${path} is not a plain folder, so nothing can be kept in it safely.`, {
      remedy: "Look at what it is, remove it, then try again.",
    });
  return path;
}

/** A folder inside it, by safe segments only. */
export function stateSubfolder(repository: Repository, ...segments: readonly string[]): string {
  let path = stateFolder(repository);
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
