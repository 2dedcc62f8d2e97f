// Repositories inside a repository that git itself would start another git in: populated submodules, at any depth.
import { join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { readRepositoryConfig, type LocatedEntry } from "./config-read.ts";
import { fromBytePath, splitRecords } from "./lists.ts";
import { repositoryIn, type Repository } from "./locate.ts";

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
    found.push(...readRepositoryConfig(next));
    for (const path of gitlinksOf(next)) {
      const inner = repositoryIn(join(next.top, path));
      if (inner) queue.push(inner);
    }
  }
  return found;
}
