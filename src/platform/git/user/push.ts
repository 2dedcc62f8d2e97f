// A push or a fetch with the user's own keys and settings: no program that a repository names is started for it.
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
function protocolAfter(
  { url, protocol, pushUrl }: PushAddress,
  config: UserGit["network"]["config"],
  pushes = true,
): string {
  const rewritten = (name: string) =>
    config
      .flatMap(([key, prefix]) => {
        const [, base] = new RegExp(`^url\\.(.*)\\.${name}$`, "is").exec(key) ?? [];
        return base !== undefined && url.startsWith(prefix) ? [{ base, prefix }] : [];
      })
      .sort((left, right) => right.prefix.length - left.prefix.length)[0];
  const found = (pushUrl || !pushes ? undefined : rewritten("pushinsteadof")) ?? rewritten("insteadof");
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

/** The tip of one ref at the place that is pushed to; undefined where it has none. */
export async function remoteTip(
  repository: Repository,
  { env, config }: UserGit["network"],
  address: PushAddress,
  ref: string,
): Promise<string | undefined> {
  // The repository's own setting could name a program to run at the remote, or here.
  const asked = ["ls-remote", "--quiet", "--upload-pack=git-upload-pack", "--end-of-options", address.url, ref];
  const { stdout } = await git(repository, asked, {
    network: { protocols: [protocolAfter(address, config, false)], env },
    config,
    timeoutMs: 5 * 60_000,
  });
  return /^([0-9a-f]{40,64})\t/.exec(stdout.toString("latin1"))?.[1];
}

/** Brings one ref from the place that is pushed to, without a name for it. */
export async function fetchRef(
  repository: Repository,
  { env, config }: UserGit["network"],
  address: PushAddress,
  ref: string,
): Promise<void> {
  // The repository's own setting could name a program to run at the remote, or here.
  const asked = ["fetch", "--quiet", "--upload-pack=git-upload-pack", "--end-of-options"];
  await git(repository, [...asked, address.url, ref], {
    network: { protocols: [protocolAfter(address, config, false)], env },
    config,
    timeoutMs: 5 * 60_000,
  });
}
