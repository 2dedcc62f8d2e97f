// Which forge holds a repository, by the address of its remote. Pure.
import { fail } from "../../core/contract/index.ts";

export interface Forge {
  /** The program of the user that speaks to it. */
  readonly program: "gh" | "glab";
  readonly host: string;
  /** `owner/name`; GitLab has groups in groups. */
  readonly path: string;
}

const address =
  /^(?:(?:https?|ssh|git):\/\/)?(?:[^@/\s]*@)?([\w.-]+)(?::\d+)?[/:]((?:[\w.~-]+\/)+[\w.-]+?)(?:\.git)?\/?$/i;

/** Hosts whose name says GitLab are spoken to with glab; any other with gh, which serves companies' own hosts too. */
export function forgeOf(url: string): Forge | undefined {
  const [, host = "", path = ""] = address.exec(url.trim()) ?? [];
  if (host === "" || path === "" || !host.includes(".") || path.split("/").includes("..")) return undefined;
  return { program: /gitlab/i.test(host) ? "glab" : "gh", host: host.toLowerCase(), path };
}

/** The forge of the remote that work is pushed to: `origin`, or else the first. */
export function forgeAmong(remotes: readonly { readonly name: string; readonly url: string }[]): Forge {
  const first = remotes.find(({ name }) => name === "origin") ?? remotes[0];
  const forge = first && forgeOf(first.url);
  if (forge) return forge;
  return fail("invalid_input", first ? `${first.url} is not an address of GitHub or GitLab.` : "There is no remote.", {
    remedy: "Save the text of the issue, title first, and use: thehood run --issue-file FILE",
  });
}
