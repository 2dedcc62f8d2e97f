// The repository port on the real checkout: inspection, git's own words, and the files that a model may be shown.
import type { RepositoryPort } from "../../engine/effects/index.ts";
import { listTree, readBlobs, type Repository } from "../../../platform/git/index.ts";
import { changedBetween, printCheckout } from "../../../workspace/checkout/git-folder-watch/index.ts";
import {
  readShowable,
  recentPaths,
  showableDiff,
  showableFiles,
} from "../../../workspace/checkout/read/index.ts";
import { inspectRepository } from "../../../workspace/inspect/index.ts";
import { describeRepository } from "../../../workspace/checkout/worktree/index.ts";

async function committedTexts(repository: Repository, commit: string, paths: readonly string[]) {
  const found = (await listTree(repository, commit)).filter(
    ({ path, mode }) => paths.includes(path) && mode.startsWith("100"),
  );
  const blobs = await readBlobs(
    repository,
    found.map(({ object }) => object),
  );
  return found.map(({ path }, index) => ({ path, text: (blobs[index] ?? Buffer.alloc(0)).toString("utf8") }));
}

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
    committed: (commit, paths) => committedTexts(must(), commit, paths),
    recentPaths: () => recentPaths(repository),
  };
}
