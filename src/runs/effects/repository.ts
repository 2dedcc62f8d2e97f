// The repository port on the real checkout: inspection, git's own words, and the files that a model may be shown.
import type { RepositoryPort } from "../../engine/effects/index.ts";
import { fromBytes, git, splitRecords, type Repository } from "../../git/index.ts";
import { isSecretPath } from "../../paths/index.ts";
import { changedBetween, printCheckout } from "../../checkout/guard/index.ts";
import { readShowable, recentPaths, showableFiles } from "../../checkout/look/index.ts";
import { inspectRepository } from "../../stranger/index.ts";
import { describeRepository } from "../../checkout/worktree/index.ts";

/** Changed files that no model and no program is shown. */
async function secretPaths(repository: Repository, from: string): Promise<string[]> {
  const { stdout } = await git(repository, ["diff", "--name-only", "-z", "--no-renames", from, "--"]);
  return splitRecords(stdout)
    .map((path) => fromBytes(path))
    .filter((path) => isSecretPath(path))
    .slice(0, 200);
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
    async diffText(from) {
      const held = await secretPaths(must(), from);
      const left = held.map((path) => `:(exclude,top,literal)${path}`);
      const { stdout } = await git(must(), ["diff", "--binary", "--full-index", from, "--", ":/", ...left]);
      if (held.length === 0) return stdout;
      const note = held.map(
        (path) => `# ${path} differs and is not shown: its name says that it holds secrets\n`,
      );
      return Buffer.concat([Buffer.from(note.join("")), stdout]);
    },
    files: () => showableFiles(top, repository),
    // oxlint-disable-next-line require-await -- the port is asynchronous
    readText: async (path) => readShowable(top, path),
    recentPaths: () => recentPaths(repository),
  };
}
