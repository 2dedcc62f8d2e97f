// What the judge of commands knows about the workspace: its folder, its tools and scripts, and the content of its files.
import { readdirSync, realpathSync, lstatSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createHash } from "node:crypto";
import type { KnownWorkspace } from "../../core/commands/index.ts";
import { findRepository, gitSync, type Repository } from "../../platform/git/index.ts";
import { systemCode, entryAt } from "../../platform/system/index.ts";
import { FailureError } from "../../core/contract/index.ts";
import { readUnder } from "../../platform/paths/index.ts";
import { findSecrets } from "../../core/secrets/index.ts";

/** Undefined for a folder without installed tools. */
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
    leadsAway: (path) => leadsAway(root, path),
    isMissing,
    ...(repository ? { baseFile: baseFiles(repository) } : {}),
  };
}

/** Follows the links of the folders above the path, up to its first part that does not exist or is a pattern. */
function leadsAway(root: string, path: string): boolean {
  const top = realpathSync(root);
  let folder = top;
  for (const part of path.split("/").slice(0, -1)) {
    if (part === "" || part === ".") continue;
    try {
      folder = realpathSync(join(folder, part));
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return false;
      // What cannot be followed may lead anywhere.
      if (systemCode(error) !== undefined) return true;
      throw error;
    }
    if (folder !== top && !folder.startsWith(`${top}/`)) return true;
  }
  return false;
}

function isMissing(folder: string): boolean {
  try {
    lstatSync(folder);
    return false;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return systemCode(error) === "ENOENT";
  }
}

const mostComparedBytes = 4 << 20;

function baseFiles(repository: Repository): NonNullable<KnownWorkspace["baseFile"]> {
  return (path) => {
    try {
      const id = idOfRevision(repository, `HEAD:${path}`);
      if (id === "") return isNowhere(repository, path) ? "unknown" : "changed";
      return idOf(join(repository.top, path), id.length) === id ? "same" : "changed";
    } catch (error) {
      // A repository that git refuses proves nothing.
      if (error instanceof FailureError) return "changed";
      throw error;
    }
  };
}

/** Without a commit nothing can be compared, and a missing file has no content. */
const isNowhere = (repository: Repository, path: string) =>
  idOfRevision(repository, "HEAD") === "" || entryAt(join(repository.top, path)) === undefined;

function idOfRevision(repository: Repository, name: string): string {
  const args = ["rev-parse", "--verify", "--quiet", name];
  return gitSync(repository, args, { accept: [0, 1, 128] })
    .stdout.toString("utf8")
    .trim();
}

/** The name git would give the file; undefined for anything but a plain file. */
function idOf(file: string, length: number): string | undefined {
  try {
    const found = lstatSync(file);
    if (!found.isFile() || found.size > mostComparedBytes) return undefined;
    const bytes = readFileSync(file);
    return createHash(length === 64 ? "sha256" : "sha1")
      .update(`blob ${bytes.length}\0`)
      .update(bytes)
      .digest("hex");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES", "ELOOP"].includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

const mostScannedBytes = 1 << 20;
/** A login that is written out, also where it is too plain for the judge of secrets. */
const plainLogin =
  /^\s*["']?\w*(password|passwd|secret|token)["']?\s*[:=]\s*["']?(?![\s"']|$|<%|\$|%|ENV|env|os\.|null|nil|~)\S/im;

const contentOf =
  (root: string): NonNullable<KnownWorkspace["content"]> =>
  (path) => {
    try {
      const text = readUnder(root, path, { maxBytes: mostScannedBytes }).toString("utf8");
      return plainLogin.test(text) || findSecrets(text, { file: path }).length > 0 ? "secret" : "clean";
    } catch (error) {
      if (error instanceof FailureError || systemCode(error) !== undefined) return "unknown";
      throw error;
    }
  };
