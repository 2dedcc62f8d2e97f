// Branches: which one is checked out, where it is pushed to, and making a new one at HEAD.
import { fail } from "../../../core/contract/index.ts";
import { type Repository, git, readRepositoryConfig } from "../../../platform/git/index.ts";

export interface Upstream {
  readonly remote: string;
  /** The full name of the branch at the remote. */
  readonly ref: string;
  readonly protocol: string;
  readonly url: string;
  /** The URL was set with pushurl: then `pushInsteadOf` does not apply. */
  readonly pushUrl: boolean;
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

/** The protocol that git must be allowed to use for this URL. */
function protocolOf(url: string): string {
  const scheme = /^([a-z][a-z0-9+-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined) return scheme === "git+ssh" || scheme === "ssh+git" ? "ssh" : scheme;
  // host:path without a slash before the colon is the short form of ssh.
  return /^[^/]+:/.test(url) && !/^[a-z]:[\\/]/i.test(url) ? "ssh" : "file";
}

/** The protocol of the URL that git really uses: the user's own settings may rewrite it. */
export function protocolAfter(
  { url, protocol, pushUrl }: Upstream,
  config: readonly (readonly [key: string, value: string])[],
): string {
  const rewritten = (name: string) =>
    config
      .flatMap(([key, prefix]) => {
        const [, base] = new RegExp(`^url\\.(.*)\\.${name}$`, "is").exec(key) ?? [];
        return base !== undefined && url.startsWith(prefix) ? [{ base, prefix }] : [];
      })
      .sort((left, right) => right.prefix.length - left.prefix.length)[0];
  const found = (pushUrl ? undefined : rewritten("pushinsteadof")) ?? rewritten("insteadof");
  const now = found === undefined ? protocol : protocolOf(found.base + url.slice(found.prefix.length));
  return allowed.has(now) ? now : protocol;
}

const allowed = new Set(["ssh", "https", "file"]);

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
  if (!allowed.has(protocol)) return refuse(`the remote ${remote} uses ${protocol}, which is not allowed`);
  const pushUrl = last("remote", remote, "pushurl") !== undefined;
  return { remote, ref, protocol, url, pushUrl };
}
