// Where work is pushed to, and where its pull request is opened: the remote `origin` or else the first one, and the repository
// that a fork belongs to.
import { fail, FailureError } from "../../core/contract/index.ts";
import { git, requireRepository, type Repository, type RepositoryLocation } from "../../platform/git/index.ts";
import { protocolOf, pushProtocols, type PushAddress } from "../../platform/git/user/index.ts";
import { withoutUserinfo } from "../../workspace/checkout/worktree/index.ts";
import { forgesAmong, isFork, pushRemote, remotesOf } from "../../workspace/forge/index.ts";

export function addressOf(repository: Repository): PushAddress {
  const found = pushRemote(remotesOf(repository));
  if (found === undefined || !/^\w[\w./-]*$/.test(found.name))
    fail("invalid_input", "There is no remote to push to.", { remedy: "Add one: git remote add origin URL" });
  const { name: remote, pushUrl } = found;
  const url = pushUrl ?? found.url;
  const protocol = protocolOf(url);
  if (!pushProtocols.has(protocol))
    fail("invalid_input", `The remote ${remote} uses ${protocol}, which is not allowed.`, {
      remedy: "Use ssh or https.",
    });
  return { remote, url, protocol, pushUrl: pushUrl !== undefined };
}

export interface Destination {
  readonly remote: string;
  /** Without what the address may hold of a login. */
  readonly url: string;
  /** The repository of the pull request, where it is another one than that of the branch. */
  readonly into?: string;
}

export function destinationOf({ root }: Pick<RepositoryLocation, "root">): Destination {
  const repository = requireRepository(root);
  const { remote, url } = addressOf(repository);
  const forges = forgesAmong(remotesOf(repository));
  const into = forges && isFork(forges) ? { into: `${forges.base.host}/${forges.base.path}` } : {};
  return { remote, url: withoutUserinfo(url), ...into };
}

/** The same; null where there is none. */
export function destinationIfAny(place: RepositoryLocation): Destination | null {
  try {
    return destinationOf(place);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return null;
  }
}

/** The branch that is checked out. */
export async function currentBranch(repository: Repository): Promise<string> {
  const { exitCode, stdout } = await git(repository, ["symbolic-ref", "--quiet", "--short", "HEAD"], {
    accept: [0, 1],
  });
  if (exitCode !== 0)
    fail("invalid_input", "HEAD is detached, so there is no branch to push.", {
      remedy: "Make a branch at the commit: git switch -c NAME",
    });
  return stdout.toString("utf8").trim();
}

const usual = ["main", "master", "trunk"];

/** A push to the branch that requests go into would need no request: it is never what was meant. */
export async function refuseDefaultBranch(repository: Repository, branch: string): Promise<void> {
  const { remote } = addressOf(repository);
  const asked = ["symbolic-ref", "--quiet", `refs/remotes/${remote}/HEAD`];
  const { exitCode, stdout } = await git(repository, asked, { accept: [0, 1, 128] });
  const known = exitCode === 0 ? stdout.toString("utf8").trim() : "";
  const isDefault = known === "" ? usual.includes(branch) : known === `refs/remotes/${remote}/${branch}`;
  if (isDefault)
    fail("invalid_input", `The work is on ${branch}, the branch that pull requests go into.`, {
      remedy: "Make a branch at the commit (git switch -c NAME) and try again. The next time start with --branch NAME.",
    });
}
