// Rules for private keys in PEM, OpenSSH, PGP and PuTTY form with their whole body (in files, JSON, comments, diffs), and
// for tokens of known length that are wrapped over two lines.
import { identifierClass, runEnd, startsToken, characterClass, isAt, alphanumeric } from "../characters.ts";
import { isPlaceholder } from "../placeholder.ts";
import type { FoundSecret, ScanContext, SecretRule } from "../rule.ts";

const header = /-----BEGIN (?:(?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----/y;
const footer = /-----END (?:(?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----/y;
/** Fields of an encrypted or armoured key. */
const field = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): ?[^\r\n\\"']{0,120}/y;
/** The characters between the lines of a body: line ends, quotes, operators, comment and diff marks. */
const between = characterClass(" \t\r\n\"'`+,;\\*#>|.()");
const bodyClass = characterClass(`${alphanumeric}+/=`);
const escape = /\\{1,4}[rnt]|\\u000[ad]|&#1[03];|&#x0?[ad];|<br ?\/?>|%0[AaDd]/y;

const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

/** What a log or a comment puts before each line of a key: anything short, directly before a line of the body or its end. */
const linePrefix =
  /[^\r\n]{1,80}?(?<![A-Za-z0-9+=])(?=[A-Za-z0-9+/]{32,76}={0,2}["'\\ ,+)*/]{0,8}(?:\r?\n|$)|[A-Za-z0-9+/]{1,76}={0,2}["'\\ ,+)*/]{0,8}\r?\n[^\r\n]{0,80}-----END |=[A-Za-z0-9+/]{4}\r?\n|-----END )/y;

/** The end of a key whose body continues at `from`: after its footer, or before the first text that is not part of it. */
export function keyBodyEnd(
  text: string,
  from: number,
  prefixed = false,
): { end: number; closed: boolean; characters: number } {
  let index = from;
  let end = from;
  let characters = 0;
  while (index < text.length) {
    if (prefixed && text[index - 1] === "\n") index = matchEnd(linePrefix, text, index);
    const closing = matchEnd(footer, text, index);
    if (closing > index) return { end: escapedLineEnd(text, closing), closed: true, characters };
    const next = Math.max(matchEnd(escape, text, index), matchEnd(field, text, index));
    if (next > index) {
      index = next;
      continue;
    }
    const run = runEnd(text, index, bodyClass, 1 << 16);
    if (run > index) {
      const word = run - index < 12 && !/^\s*(?:[\\"'&<%-]|\r?\n|$)/.test(text.slice(run, run + 8));
      if (word) break;
      characters += run - index;
      index = run;
      end = run;
    } else if (isAt(text, index, between) || (text[index] === "-" && text[index + 1] !== "-")) index += 1;
    else break;
  }
  return { end, closed: false, characters };
}

/** A quoted key includes the `\n` after its footer. */
function escapedLineEnd(text: string, at: number): number {
  let end = at;
  for (let next = matchEnd(escape, text, end); next > end; next = matchEnd(escape, text, end)) end = next;
  return end;
}

/** Whether the head of a key says that a passphrase opens it: without that it is not a secret by itself. */
const isEncrypted = (head: string): boolean => /BEGIN ENCRYPTED |Proc-Type: ?4,ENCRYPTED/.test(head);

/** Documentation cuts the key that it shows. */
const isCut = (shown: string, { closed, characters }: { closed: boolean; characters: number }): boolean =>
  shown.includes("...") || (!closed && characters < 120);

function judgePem(text: string, at: number, { code }: ScanContext): FoundSecret | undefined {
  const from = matchEnd(header, text, at);
  if (from === at) return undefined;
  const body = keyBodyEnd(text, from, at > 0 && text[at - 1] !== "\n");
  // A header in source code, such as the pattern of a parser, has no body.
  if (body.characters < 24) return undefined;
  if (code === true && isCut(text.slice(from, body.end + 3), body)) return undefined;
  const head = text.slice(at, from + 80);
  return { label: "private_key", rank: 1, start: at, end: body.end, ...(isEncrypted(head) ? { onlyPrint: true } : {}) };
}

const putty = /Private-Lines: \d{1,3}\r?\n((?:[A-Za-z0-9+/=]{1,64}\r?\n){1,200})/y;

function judgePutty(text: string, at: number): FoundSecret | undefined {
  putty.lastIndex = at;
  const match = putty.exec(text);
  const body = match?.[1];
  if (!match || body === undefined) return undefined;
  const end = at + match[0].length;
  return {
    label: "private_key",
    rank: 1,
    start: end - body.length,
    end: end - (/\r?\n$/.exec(body)?.[0].length ?? 0),
  };
}

export const privateKeyRules: readonly SecretRule[] = [
  { label: "private_key", rank: 1, literals: ["-----BEGIN "], judge: judgePem },
  { label: "private_key", rank: 1, literals: ["Private-Lines: "], judge: judgePutty },
];

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
    if (isPlaceholder(body) || !/\d/.test(body)) return undefined;
    return { label, rank: 1, start: at, end };
  },
});

export const wrappedRules: readonly SecretRule[] = lengths.map(([label, prefix, length]) =>
  wrapped(label, prefix, length),
);
