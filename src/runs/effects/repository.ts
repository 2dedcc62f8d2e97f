// The repository port on the real checkout: inspection, git's own words, and the files that a model may be shown.
import type { RepositoryPort } from "../../engine/effects/index.ts";
import type { Repository } from "../../git/index.ts";
import { changedBetween, printCheckout } from "../../checkout/guard/index.ts";
import { readShowable, recentPaths, showableDiff, showableFiles } from "../../checkout/look/index.ts";
import { inspectRepository } from "../../stranger/index.ts";
import { describeRepository } from "../../checkout/worktree/index.ts";

export function createRepositoryPort(top: string, repository: Repository | undefined): RepositoryPort {
  const must = (): Repository => {
    if (!repository) throw new Error("git evidence was asked for outside a git repository");
    return repository;
  };
  return {
    top,
    // oxlint-disable-next-line require-await -- the port is asynchronous
    inspect: async () => inspectRepository(top),
    state: async () => (repository ? describeRepository(repository) : null),
    async watch() {
      if (!repository) return null;
      const before = await printCheckout(repository);
      return async () => changedBetween(before, await printCheckout(repository, before));
    },
    diffText: (from) => showableDiff(must(), from),
    files: () => showableFiles(top, repository),
    // oxlint-disable-next-line require-await -- the port is asynchronous
    readText: async (path) => readShowable(top, path),
    recentPaths: () => recentPaths(repository),
  };
}
