// The address that a worker clones a repository from, and the commit that the work is based on.
import { fail } from "../core/contract/index.ts";
import { locateRepository, git, originOf, type RepositoryLocation } from "../platform/git/index.ts";
import { withoutKeys } from "./home.ts";

export async function addressOf(
  folder: string,
): Promise<{ url: string; base: string; place: RepositoryLocation }> {
  const place = locateRepository(folder);
  const { repository } = place;
  const origin = repository && originOf(repository);
  if (!origin)
    return fail("invalid_input", `${place.root} has no remote "origin", so no worker could clone it.`, {
      remedy: "git remote add origin ADDRESS, and push the commit that the work is based on.",
    });
  const { base } = await headOf(place);
  const contained = await git(repository, [
    "for-each-ref",
    "--count=1",
    `--contains=${base}`,
    "refs/remotes/origin",
  ]);
  if (contained.stdout.length === 0)
    fail(
      "invalid_input",
      `The commit ${base.slice(0, 12)} was not pushed to origin, so no worker could work on it.`,
      {
        remedy: "Push it first: git push",
      },
    );
  return { url: withoutKeys(origin), base, place };
}

export async function headOf({ repository, root }: RepositoryLocation): Promise<{ base: string }> {
  if (!repository) return fail("not_a_repository", `${root} is not a git repository.`);
  const { stdout } = await git(repository, ["rev-parse", "--verify", "HEAD^{commit}"]);
  return { base: stdout.toString("utf8").trim() };
}
