// Notes for a person about a worker's work beside its diff.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { CaptureFlag } from "../../../core/contract/index.ts";
import {
  fromBytePath,
  git,
  joinRecords,
  splitRecords,
  toBytePath,
  type Repository,
} from "../../../platform/git/index.ts";
import type { Capture } from "../../../workspace/checkout/worktree/index.ts";

const messages: Readonly<Record<CaptureFlag["kind"], (path: string) => string>> = {
  mode_change: (path) => `The mode of ${path} changes.`,
  submodule: (path) => `${path} is a submodule.`,
  embedded_repository: (path) =>
    `${path} is a repository of its own inside the work; its files are taken, its history is not.`,
  ignored_file: (path) => `${path} is ignored by the repository's own rules and was added all the same.`,
  too_large: (path) => `${path} is too large and is not in the patch.`,
  stash: (commit) =>
    `The worker set work aside with git stash (${commit.slice(0, 12)}). It is in no diff; it is kept with the work of the run, and is not in your list of stashes.`,
  odd_name: (path) => `${path} has a name that is not UTF-8.`,
};

export const flag = (kind: CaptureFlag["kind"], path: string): CaptureFlag => ({
  kind,
  path,
  message: messages[kind](path),
});

export async function flagsOf(repository: Repository, { flags, changes }: Capture): Promise<CaptureFlag[]> {
  const added = changes.filter(({ status }) => status === "added").map(({ path }) => path);
  return [
    ...flags.skipped.map(({ path }) => flag("too_large", path)),
    ...flags.embeddedRepositories.map((path) => flag("embedded_repository", path)),
    ...flags.submodules.map((path) => flag("submodule", path)),
    ...flags.oddNames.map((path) => flag("odd_name", path)),
    ...flags.modeChanges.map((path) => flag("mode_change", path)),
    ...(await ignoredAmong(repository, added)).map((path) => flag("ignored_file", path)),
  ];
}

/** By the rules of the checkout, which the worker cannot have changed. */
async function ignoredAmong(repository: Repository, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const askedPaths = new Map(paths.map((path) => [path, upToLink(repository.top, path)]));
  const { stdout } = await git(repository, ["check-ignore", "-z", "--stdin", "--no-index"], {
    stdin: joinRecords([...new Set(askedPaths.values())].map((path) => toBytePath(`./${path}`))),
    accept: [0, 1],
  });
  const ignored = new Set(splitRecords(stdout).map((path) => fromBytePath(path).replace(/^\.\//, "")));
  return paths.filter((path) => ignored.has(askedPaths.get(path) ?? path));
}

/** Git knows no path behind a link, only the link: gives the first link on the way, else the whole path. */
function upToLink(top: string, path: string): string {
  const parts = path.split("/");
  const ways = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  return ways.find((way) => lstatSync(join(top, way), { throwIfNoEntry: false })?.isSymbolicLink() === true) ?? path;
}
