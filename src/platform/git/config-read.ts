// Gathers every configuration entry git would read for a repository, its includes too, without running git.
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { ConfigSyntaxError, parseConfig, type GitConfigEntry } from "./config-file.ts";
import { type Repository, repositoryIn } from "./locate.ts";
import { fromBytePath, splitRecords } from "./records.ts";

interface LocatedEntry extends GitConfigEntry {
  readonly file: string;
}

const maxBytes = 1 << 20;
const maxFiles = 32;
const missing = new Set(["ENOENT", "ENOTDIR", "EACCES"]);

/** The text of a regular file; undefined where git too would find none. */
function readConfigFile(path: string): string | undefined {
  // Most repositories lack the second file, and an exception costs more than a stat.
  if (!existsSync(path)) return undefined;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (missing.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  try {
    const found = fstatSync(fd);
    if (!found.isFile()) refuse(path, "is not a regular file");
    if (found.size > maxBytes) refuse(path, "is larger than a megabyte");
    const bytes = Buffer.alloc(found.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(fd, bytes, length, bytes.length - length, null);
    if (length > found.size) refuse(path, "changes while it is read");
    const text = bytes.toString("utf8", 0, length);
    if (text.includes("\0")) refuse(path, "holds a NUL byte");
    return text;
  } finally {
    closeSync(fd);
  }
}

function refuse(path: string, why: string): never {
  return fail("unsafe_repository", `The git configuration ${path} ${why}, so it cannot be made harmless.`, {
    remedy: "Look at the file; remove or repair it, then try again. `thehood check repo` shows the details.",
    details: { path },
  });
}

/** Where git would look for an included file; undefined for a home-relative path, which our git has no home for. */
function includeTarget(from: string, value: string): string | undefined {
  if (value.startsWith("~/")) return undefined;
  // A name that is not UTF-8 could not be followed: its content would be missed.
  if (value.startsWith("~") || value.startsWith("%(") || value.includes("\uFFFD"))
    refuse(from, `includes ${JSON.stringify(value)}`);
  return isAbsolute(value) ? value : join(dirname(from), value);
}

/** The text of a file when it was last read, and its meaning: the same text means the same. */
const parsed = new Map<string, { readonly text: string; readonly entries: readonly LocatedEntry[] }>();

function entriesOf(path: string, text: string): readonly LocatedEntry[] {
  const known = parsed.get(path);
  if (known?.text === text) return known.entries;
  const entries = parseOrRefuse(path, text).map((entry) => ({ ...entry, file: path }));
  parsed.delete(path);
  parsed.set(path, { text, entries });
  for (const oldest of parsed.keys()) if (parsed.size > 2 * maxFiles) parsed.delete(oldest);
  return entries;
}

/** Conditional includes count as taken: their settings are neutralised whether or not the condition is met. */
export function readRepositoryConfig(repository: Repository): LocatedEntry[] {
  const entries: LocatedEntry[] = [];
  const seen = new Set<string>();
  const queue = [join(repository.commonDir, "config"), join(repository.gitDir, "config.worktree")];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (seen.size > maxFiles) refuse(path, `is one of more than ${maxFiles} included files`);
    const text = readConfigFile(path);
    if (text === undefined) continue;
    for (const entry of entriesOf(path, text)) {
      entries.push(entry);
      const includes = entry.section === "include" || entry.section === "includeif";
      if (!includes || entry.name !== "path" || !entry.value) continue;
      const target = includeTarget(path, entry.value);
      if (target !== undefined) queue.push(target);
    }
  }
  return entries;
}

function parseOrRefuse(path: string, text: string): GitConfigEntry[] {
  try {
    return parseConfig(text);
  } catch (error) {
    if (error instanceof ConfigSyntaxError) refuse(path, `cannot be read (${error.message})`);
    throw error;
  }
}

/** The address that the repository was cloned from. */
export function originOf(repository: Repository): string | undefined {
  const isOrigin = ({ section, subsection, name }: GitConfigEntry): boolean =>
    section === "remote" && subsection === "origin" && name === "url";
  return readRepositoryConfig(repository).find(isOrigin)?.value ?? undefined;
}

const most = 200;

/** The gitlinks among what `git ls-files -s -z` prints. */
export function gitlinks(listing: Buffer): string[] {
  return splitRecords(listing)
    .filter((record) => record.startsWith("160000 "))
    .map((record) => fromBytePath(record.slice(record.indexOf("\t") + 1)));
}

/** The configuration of a repository and of everything git would enter from it. */
export function readNestedConfig(
  repository: Repository,
  gitlinksOf: (repository: Repository) => readonly string[],
): LocatedEntry[] {
  const found: LocatedEntry[] = [];
  const seen = new Set<string>();
  const queue = [repository];
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (seen.has(next.gitDir)) continue;
    seen.add(next.gitDir);
    if (seen.size > most)
      fail("unsafe_repository", `This repository has more than ${most} populated submodules.`, {
        remedy: "Work in a clone without them: git clone --no-recurse-submodules",
      });
    for (const entry of readRepositoryConfig(next)) found.push(entry);
    for (const path of gitlinksOf(next)) {
      const inner = repositoryIn(join(next.top, path));
      if (inner) queue.push(inner);
    }
  }
  return found;
}
