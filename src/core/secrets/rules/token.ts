// Builds the most common rule, a token with a known prefix, and the rule for JSON Web Tokens.
import { decodeBase64 } from "../encoded.ts";
import { identifierClass, runEnd, startsToken } from "../characters.ts";
import { createStretchLimit, type FoundSecret, reach, type SecretRule, type ScanContext } from "../rule.ts";
import { isNamedPlaceholder, isPlaceholder } from "../placeholder.ts";
import { isLikelyRandom, letterShape } from "../randomness.ts";

interface TokenOptions {
  /** The prefix is so distinctive that the token may directly follow other text. */
  readonly glued?: boolean;
  /** Characters between the start of the token and its literal. */
  readonly lead?: number;
  /** Only the first group is the secret; it must end the match. */
  readonly groupOnly?: boolean;
  /** The token is a URL: the scheme before it belongs to it. */
  readonly scheme?: boolean;
  /** The prefix is common: the rest must look random too. */
  readonly random?: boolean;
  /** It does not count in source code and documentation. */
  readonly notInCode?: boolean;
}

/** `pattern` matches from the start of the token. Its first group, or else the match, must not be a placeholder. */
export function token(
  label: string,
  literals: string | readonly string[],
  pattern: RegExp,
  options: TokenOptions = {},
): SecretRule {
  // Compiled at its first use: most rules are never used, and compiling all would slow down each start.
  let sticky: RegExp | undefined;
  const stretchLimit = createStretchLimit();
  const judge = (text: string, at: number, context: ScanContext): FoundSecret | undefined => {
    const start = at - (options.lead ?? 0);
    if (options.notInCode && context.code) return undefined;
    if (start < 0 || (!options.glued && !startsToken(text, start)) || !stretchLimit.admits(at, context))
      return undefined;
    sticky ??= new RegExp(pattern.source, "y");
    sticky.lastIndex = start;
    const match = sticky.exec(text);
    if (!match) return undefined;
    const body = match[1] ?? match[0];
    stretchLimit.read(start + match[0].length, context);
    if (isSample(body) || (options.random && (isPlaceholder(body) || !isLikelyRandom(body)))) return undefined;
    const end = start + match[0].length;
    if (options.groupOnly) return { label, rank: 1, start: end - body.length, end };
    return { label, rank: 1, start: options.scheme ? schemeStart(text, start) : start, end };
  };
  return { label, rank: 1, literals: typeof literals === "string" ? [literals] : literals, judge };
}

/** After a prefix that names the service, a counted sequence is a value too: only its words and its sameness tell a sample. */
const isSample = (body: string): boolean =>
  isNamedPlaceholder(body) || letterShape(body).distinct < Math.min(6, body.length / 3) || repeatsShortly.test(body);

const repeatsShortly = /^(.{1,4})\1+$/;

const scheme = /https?:\/\/[a-z0-9.-]{0,60}$/;

function schemeStart(text: string, at: number): number {
  return at - (scheme.exec(text.slice(Math.max(0, at - 68), at))?.[0].length ?? 0);
}

const longestPart = reach / 4;

const stretchLimit = createStretchLimit();

function judge(text: string, at: number, context: ScanContext): FoundSecret | undefined {
  if (!startsToken(text, at) || !stretchLimit.admits(at, context)) return undefined;
  const headerEnd = runEnd(text, at, identifierClass, longestPart);
  stretchLimit.read(headerEnd, context);
  if (text[headerEnd] !== "." || headerEnd - at < 12) return undefined;
  const payloadEnd = runEnd(text, headerEnd + 1, identifierClass, longestPart);
  if (text[payloadEnd] !== "." || payloadEnd - headerEnd < 3) return undefined;
  const header = decodeBase64(text, at, headerEnd);
  if (!header || !/"(?:alg|enc)"\s*:/.test(header)) return undefined;
  let end = runEnd(text, payloadEnd + 1, identifierClass, longestPart);
  // Encrypted tokens have five parts.
  for (let part = 3; part < 5 && text[end] === "." && header.includes('"enc"'); part += 1) {
    end = runEnd(text, end + 1, identifierClass, longestPart);
  }
  if (isPlaceholder(text.slice(headerEnd + 1, Math.min(payloadEnd, headerEnd + 64)))) return undefined;
  return { label: "jwt", rank: 1, start: at, end };
}

export const jwtRule: SecretRule = {
  label: "jwt",
  rank: 1,
  literals: ["eyJ", "ewog", "ewoJ", "eyAi"],
  judge,
};
