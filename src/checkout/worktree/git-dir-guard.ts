// Sees whether somebody touched the common git folder while a worker ran: hooks and config there would run as the user.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../../system/index.ts";
import type { Repository } from "../../git/index.ts";

/** Path below the common git folder → what was there. */
export type GitDirPrint = Readonly<Record<string, string>>;

/** What git executes or is steered by. `logs`, `objects` and the like change in honest work. */
const steering = [
  "config",
  "config.worktree",
  "hooks",
  "info/attributes",
  "info/exclude",
  "info/grafts",
  "info/sparse-checkout",
  "objects/info/alternates",
  "objects/info/http-alternates",
];
const limits = { entries: 5_000, fileBytes: 4 << 20 };

function printFile(path: string, size: number, mode: number): string {
  const shown = (mode & 0o777).toString(8);
  if (size > limits.fileBytes) return `file:${shown}:${size}`;
  return `file:${shown}:${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}

function visit(base: string, path: string, found: Map<string, string>): void {
  if (found.size >= limits.entries) return;
  const full = join(base, path);
  const entry = entryAt(full);
  if (!entry) return;
  if (entry.isSymbolicLink()) found.set(path, `link:${readlinkSync(full)}`);
  else if (entry.isFile()) found.set(path, printFile(full, entry.size, entry.mode));
  else if (!entry.isDirectory()) found.set(path, "other");
  else for (const name of readdirSync(full).toSorted()) visit(base, `${path}/${name}`, found);
}

/** Git folders of submodules lie in `modules`, at the depth of their names. */
function submoduleFolders(base: string, path = "modules", depth = 0): string[] {
  const entry = entryAt(join(base, path));
  if (!entry?.isDirectory() || depth > 8) return [];
  const names = readdirSync(join(base, path));
  const here = names.includes("HEAD") ? [path] : [];
  const inner = names.filter((name) => !["objects", "refs", "logs", "hooks", "info"].includes(name));
  return [...here, ...inner.flatMap((name) => submoduleFolders(base, `${path}/${name}`, depth + 1))];
}

export function printGitDir(repository: Repository): GitDirPrint {
  const found = new Map<string, string>();
  for (const path of steering) visit(repository.commonDir, path, found);
  for (const folder of submoduleFolders(repository.commonDir))
    for (const path of ["config", "hooks", "info"]) visit(repository.commonDir, `${folder}/${path}`, found);
  if (repository.gitDir !== repository.commonDir)
    for (const path of ["config.worktree", "commondir", "info"]) {
      const inner = new Map<string, string>();
      visit(repository.gitDir, path, inner);
      for (const [key, value] of inner) found.set(`worktree:${key}`, value);
    }
  return Object.fromEntries(found);
}

/** Paths that were added, changed or removed between two prints, sorted. */
export function comparePrints(before: GitDirPrint, after: GitDirPrint): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).toSorted();
}
