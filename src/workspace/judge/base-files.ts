// Compares a file of a checkout with the one that the last commit holds, byte by byte: no filter of the repository is run.
import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KnownWorkspace } from "../../core/commands/index.ts";
import { FailureError } from "../../core/contract/index.ts";
import { gitSync, type Repository } from "../../platform/git/index.ts";
import { entryAt, systemCode } from "../../platform/system/index.ts";

const maxBytes = 4 << 20;

export function baseFiles(repository: Repository): NonNullable<KnownWorkspace["baseFile"]> {
  return (path) => {
    try {
      const id = idOfRevision(repository, `HEAD:${path}`);
      if (id === "") return isNowhere(repository, path) ? "unknown" : "changed";
      return idOf(join(repository.top, path), id.length) === id ? "same" : "changed";
    } catch (error) {
      // A repository that git may not be asked about vouches for nothing.
      if (error instanceof FailureError) return "changed";
      throw error;
    }
  };
}

/** Without a commit nothing can be compared, and of a file that lies nowhere there is nothing to say. */
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
    if (!found.isFile() || found.size > maxBytes) return undefined;
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
