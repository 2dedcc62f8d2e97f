// Branches: which one is checked out, where it is pushed to, and making a new one at HEAD.
import { fail } from "../../../core/contract/index.ts";
import { type Repository, git, readRepositoryConfig } from "../../../platform/git/index.ts";
import { protocolOf, pushProtocols, type PushAddress } from "../../../platform/git/user/index.ts";

export interface Upstream extends PushAddress {
  /** The full name of the branch at the remote. */
  readonly ref: string;
}

/** Null on a detached HEAD. */
export async function currentBranch(repository: Repository): Promise<string | null> {
  const { exitCode, stdout } = await git(repository, ["symbolic-ref", "--quiet", "--short", "HEAD"], {
    accept: [0, 1],
  });
  return exitCode === 0 ? stdout.toString("utf8").trim() : null;
}

/** HEAD names the new branch at the same commit; nothing in the tree changes. */
export async function makeBranch(repository: Repository, name: string): Promise<void> {
  // An empty old value: it must not exist yet.
  await git(repository, ["update-ref", `refs/heads/${name}`, "HEAD", ""]);
  await git(repository, ["symbolic-ref", "HEAD", `refs/heads/${name}`]);
}

/** The upstream as configured, with its full name: a plain push might go elsewhere (T-22). */
export function upstreamOf(repository: Repository, branch: string | null, isNew: boolean): Upstream {
  const refuse = (why: string): never =>
    fail("invalid_input", `--push: ${why}.`, {
      remedy: "Set an upstream with git push --set-upstream <remote> <branch>, or leave --push out.",
    });
  if (branch === null) return refuse("HEAD is detached, so there is no branch to push");
  if (isNew) return refuse(`the new branch ${branch} has no upstream yet`);
  const entries = readRepositoryConfig(repository);
  const last = (section: string, subsection: string, name: string) =>
    entries.findLast((entry) => entry.section === section && entry.subsection === subsection && entry.name === name)
      ?.value ?? undefined;
  const remote = last("branch", branch, "remote");
  const ref = last("branch", branch, "merge");
  if (remote === undefined || ref === undefined || remote === ".") return refuse(`${branch} has no upstream`);
  if (!/^[\w][\w./-]*$/.test(remote) || !ref.startsWith("refs/heads/"))
    return refuse(`the upstream of ${branch} (${remote} ${ref}) is not a branch of a named remote`);
  const url = last("remote", remote, "pushurl") ?? last("remote", remote, "url");
  if (url === undefined) return refuse(`the remote ${remote} has no address`);
  const protocol = protocolOf(url);
  if (!pushProtocols.has(protocol)) return refuse(`the remote ${remote} uses ${protocol}, which is not allowed`);
  const pushUrl = last("remote", remote, "pushurl") !== undefined;
  return { remote, ref, protocol, url, pushUrl };
}
