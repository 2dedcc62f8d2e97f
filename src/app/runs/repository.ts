// The checkout, wired for looking: inspection, git's own words, and what a model may be shown.
import type { RepositoryRoom } from "../../engine/effects/index.ts";
import { git, type Repository } from "../../workspace/git/index.ts";
import { readShowable, recentPaths, showableFiles } from "../../workspace/look/index.ts";
import { describeRepository, trackedState } from "../../workspace/worktree/index.ts";

export function createRepositoryRoom(top: string, repository: Repository | undefined): RepositoryRoom {
  const must = (): Repository => {
    if (!repository) throw new Error("git evidence was asked for outside a git repository");
    return repository;
  };
  return {
    top,
    async inspect() {
      const tracked = repository ? await trackedState(repository) : [];
      const what = "is tracked: the repository ships state or policy for the runtime";
      return {
        safe: tracked.length === 0,
        findings: tracked.map((path) => ({ severity: "refuse", path, what })),
      };
    },
    state: async () => (repository ? describeRepository(repository) : null),
    async diffText(from) {
      const { stdout } = await git(must(), ["diff", "--binary", "--full-index", from, "--"]);
      return stdout;
    },
    files: () => showableFiles(top, repository),
    // oxlint-disable-next-line require-await -- the port is asynchronous
    readText: async (path) => readShowable(top, path),
    recentPaths: () => recentPaths(repository),
  };
}
