// Tokens of a known length that a line break cuts in two, as mail and terminals do.
import { identifierClass, runEnd, startsToken } from "../characters.ts";
import { isStandIn } from "../placeholder.ts";
import type { FoundSecret, SecretRule } from "../rule.ts";

const lengths: readonly (readonly [label: string, prefix: string, length: number])[] = [
  ["github_pat", "ghp_", 40],
  ["github_oauth", "gho_", 40],
  ["github_user_to_server", "ghu_", 40],
  ["github_app", "ghs_", 40],
  ["github_refresh", "ghr_", 40],
  ["github_fine_grained", "github_pat_", 93],
  ["gitlab_token", "glpat-", 26],
  ["npm_token", "npm_", 40],
  ["gcp_api_key", "AIza", 39],
  ["huggingface_token", "hf_", 37],
  ["stripe_secret", "sk_live_", 32],
  ["anthropic_api_key", "sk-ant-", 108],
];

const lineBreak = /\\?\r?\n[ \t>|+#*-]{0,16}/y;

const wrapped = (label: string, prefix: string, length: number): SecretRule => ({
  label,
  rank: 1,
  literals: [prefix],
  judge(text: string, at: number): FoundSecret | undefined {
    const cut = runEnd(text, at, identifierClass, length + 1);
    const have = cut - at;
    if (have < prefix.length + 4 || have >= length || !startsToken(text, at)) return undefined;
    lineBreak.lastIndex = cut;
    if (!lineBreak.test(text)) return undefined;
    const from = lineBreak.lastIndex;
    const end = runEnd(text, from, identifierClass, length + 1);
    if (have + end - from !== length) return undefined;
    const body = text.slice(at + prefix.length, cut) + text.slice(from, end);
    if (isStandIn(body) || !/\d/.test(body)) return undefined;
    return { label, rank: 1, start: at, end };
  },
});

export const wrappedRules: readonly SecretRule[] = lengths.map(([label, prefix, length]) =>
  wrapped(label, prefix, length),
);
