// Which forge holds a repository, by the addresses of its remotes. Pure.
import { fail } from "../../core/contract/index.ts";

export interface Forge {
  /** The program of the user that speaks to it. */
  readonly program: "gh" | "glab";
  readonly host: string;
  /** `owner/name`; GitLab has groups in groups. */
  readonly path: string;
}

/** A remote as the configuration of the repository has it. */
export interface Remote {
  readonly name: string;
  readonly url: string;
  /** Where pushes go instead. */
  readonly pushUrl?: string | undefined;
  /** What `gh` or `glab` noted there: `base`, or the path of the repository that requests belong to. */
  readonly resolved?: string | undefined;
}

/** Where requests and issues are, and where branches are pushed to: the same but for a fork. */
export interface Forges {
  readonly base: Forge;
  readonly head: Forge;
}

const address =
  /^(?:(?:https?|ssh|git):\/\/)?(?:[^@/\s]*@)?([\w.-]+)(?::\d+)?[/:]((?:[\w.~-]+\/)+[\w.-]+?)(?:\.git)?\/?$/i;

/** `github.com-work`: the name that people with several keys give a host in their settings of ssh. */
const alias = /^((?:github|gitlab)\.com)-[\w.-]+$/i;

/** Hosts that neither program speaks to. */
const others =
  /(?:^|\.)(?:bitbucket\.org|codeberg\.org|sr\.ht|dev\.azure\.com|visualstudio\.com)$|\b(?:bitbucket|gitea|forgejo|gogs)\b/i;

/** Hosts whose name says GitLab are spoken to with glab; any other with gh, which serves companies' own hosts too. */
export function forgeOf(url: string): Forge | undefined {
  const [, named = "", path = ""] = address.exec(url.trim()) ?? [];
  const host = named.replace(alias, "$1");
  if (host === "" || path === "" || !host.includes(".") || path.split("/").includes("..") || others.test(host))
    return undefined;
  return { program: /gitlab/i.test(host) ? "glab" : "gh", host: host.toLowerCase(), path };
}

/** The remote that work is pushed to: `origin`, or else the first. */
export const pushRemote = (remotes: readonly Remote[]): Remote | undefined =>
  remotes.find(({ name }) => name === "origin") ?? remotes[0];

/** The repository that the user's program was told to open requests in, as `gh repo fork` and `gh repo set-default` do. */
function resolvedBase(remotes: readonly Remote[]): Forge | undefined {
  const chosen = remotes.find(({ resolved }) => resolved !== undefined);
  const forge = chosen && forgeOf(chosen.url);
  if (!forge || chosen.resolved === "base") return forge;
  return forgeOf(`https://${forge.host}/${chosen.resolved}`);
}

/** Undefined where pushes go to no forge. */
export function forgesAmong(remotes: readonly Remote[]): Forges | undefined {
  const remote = pushRemote(remotes);
  const head = remote && forgeOf(remote.pushUrl ?? remote.url);
  if (!head) return undefined;
  const base = resolvedBase(remotes) ?? forgeOf(remote.url);
  return { head, base: base?.host === head.host ? base : head };
}

/** A request from a branch of another repository than the one that it is opened in. */
export const isFork = ({ base, head }: Forges): boolean => base.path.toLowerCase() !== head.path.toLowerCase();

export function insistForges(remotes: readonly Remote[]): Forges {
  const forges = forgesAmong(remotes);
  if (forges) return forges;
  const url = pushRemote(remotes)?.url;
  return fail("invalid_input", url ? `${url} is not an address of GitHub or GitLab.` : "There is no remote.", {
    remedy: `${url ? "Nothing is asked there" : "Add one: git remote add origin URL"}. An issue can also come from a file with its title first: thehood run --issue-file FILE`,
  });
}
