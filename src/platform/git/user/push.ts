// A push with the user's own keys and settings: no program that a repository names is started for it.
import { git, type Repository } from "../index.ts";
import type { UserGit } from "./user-git.ts";

/** The address of a remote, as the repository's configuration has it. */
export interface PushAddress {
  readonly remote: string;
  readonly protocol: string;
  readonly url: string;
  /** The URL was set with pushurl: then `pushInsteadOf` does not apply. */
  readonly pushUrl: boolean;
}

export const pushProtocols: ReadonlySet<string> = new Set(["ssh", "https", "file"]);

/** The protocol that git must be allowed to use for this URL. */
export function protocolOf(url: string): string {
  const scheme = /^([a-z][a-z0-9+-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined) return scheme === "git+ssh" || scheme === "ssh+git" ? "ssh" : scheme;
  // host:path without a slash before the colon is the short form of ssh.
  return /^[^/]+:/.test(url) && !/^[a-z]:[\\/]/i.test(url) ? "ssh" : "file";
}

/** The protocol of the URL that git really uses: the user's own settings may rewrite it. */
function protocolAfter({ url, protocol, pushUrl }: PushAddress, config: UserGit["network"]["config"]): string {
  const rewritten = (name: string) =>
    config
      .flatMap(([key, prefix]) => {
        const [, base] = new RegExp(`^url\\.(.*)\\.${name}$`, "is").exec(key) ?? [];
        return base !== undefined && url.startsWith(prefix) ? [{ base, prefix }] : [];
      })
      .sort((left, right) => right.prefix.length - left.prefix.length)[0];
  const found = (pushUrl ? undefined : rewritten("pushinsteadof")) ?? rewritten("insteadof");
  const now = found === undefined ? protocol : protocolOf(found.base + url.slice(found.prefix.length));
  return pushProtocols.has(now) ? now : protocol;
}

/** All or nothing: a remote that takes one ref takes all of them. */
export async function pushRefs(
  repository: Repository,
  { env, config }: UserGit["network"],
  address: PushAddress,
  refspecs: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  await git(
    repository,
    [
      "push",
      "--porcelain",
      "--no-progress",
      ...(refspecs.length > 1 ? ["--atomic"] : []),
      // The repository's own setting could name a program to run at the remote, or here.
      "--receive-pack=git-receive-pack",
      address.remote,
      ...refspecs,
    ],
    {
      network: { protocols: [protocolAfter(address, config)], env },
      config,
      timeoutMs: 5 * 60_000,
      ...(signal ? { signal } : {}),
    },
  );
}
