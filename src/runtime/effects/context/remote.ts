// Decides whether a provider can read the pushed repository itself, so that no local text need be sent.
import type { EffectOf, EffectOutcome, RepositoryState } from "../../../core/contract/index.ts";
import { putJson } from "../redaction.ts";
import { type EffectDeps, stateOf } from "../deps.ts";

const remoteReasons = [
  "provider_does_not_support_github_connector_context",
  "no_github_remote",
  "missing_head_commit",
  "dirty_checkout",
  "head_not_pushed_to_upstream",
  "chatgpt_web_github_connector_unconfirmed",
] as const;
type RemoteReason = (typeof remoteReasons)[number];

const connectors = new Set(["chatgpt-web"]);

export async function selectRemoteContext(
  deps: EffectDeps,
  effect: EffectOf<"select_remote_context">,
): Promise<EffectOutcome> {
  const local = (reason: RemoteReason): EffectOutcome => ({
    kind: "select_remote_context",
    remote: null,
    reason,
  });
  if (!connectors.has(effect.provider)) return local("provider_does_not_support_github_connector_context");
  const state = await stateOf(deps);
  const remote = state ? githubRemote(state) : undefined;
  if (!state || !remote) return local("no_github_remote");
  if (state.head === null) return local("missing_head_commit");
  if (!state.clean) return local("dirty_checkout");
  if (state.upstream === null || state.ahead !== 0 || state.behind !== 0) return local("head_not_pushed_to_upstream");
  if (!effect.connectorConfirmed) return local("chatgpt_web_github_connector_unconfirmed");
  const { owner, repo } = remote;
  const value = {
    kind: "github_connector_repo_context",
    remote: {
      provider: "github",
      ...remote,
      branch: state.branch,
      commit: state.head,
      upstream: state.upstream,
    },
    localState: { clean: true, pushed: true },
  };
  const summary = `${owner}/${repo} at ${state.head.slice(0, 12)}`;
  return {
    kind: "select_remote_context",
    reason: "remote",
    remote: {
      context: await putJson(deps, "remote_context", value, summary),
      owner,
      repo,
      branch: state.branch,
      commit: state.head,
    },
  };
}

/** `origin` first, then by name. Addresses arrive without user names or tokens. */
export function githubRemote(
  state: Pick<RepositoryState, "remotes">,
): { remoteName: string; owner: string; repo: string; normalizedUrl: string } | undefined {
  const ordered = state.remotes.toSorted((a, b) =>
    a.name === "origin" ? -1 : b.name === "origin" ? 1 : a.name < b.name ? -1 : 1,
  );
  for (const { name, url } of ordered) {
    const match =
      /^(?:https?:\/\/|ssh:\/\/|git:\/\/)?(?:[^@/]*@)?(?:www\.)?github\.com(?::\d+)?[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/i.exec(
        url,
      );
    if (match?.[1] && match[2])
      return {
        remoteName: name,
        owner: match[1],
        repo: match[2],
        normalizedUrl: `https://github.com/${match[1]}/${match[2]}`,
      };
  }
  return undefined;
}
