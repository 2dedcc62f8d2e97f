// Rules without a literal: they are tested at every run of at least 24 token characters.
import { digitClass, hexClass, identifierClass, runEnd, runStart, startsToken } from "../characters.ts";
import { isPlaceholder } from "../placeholder.ts";
import { isLikelyRandom } from "../randomness.ts";
import type { FoundSecret } from "../rule.ts";

const discord = /[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9])/y;
const telegram = /:A[A-Za-z0-9_-]{33,36}(?![A-Za-z0-9_-])/y;
const airtable = /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?![A-Za-z0-9])/y;

const matches = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

const ethereumKey = /0x[0-9a-f]{64}/iy;
/** Words on the same line that distinguish a private key from a hash of the same form. */
const namesWallet = /priv(?:ate)?_?key|\baccounts?["']?\s{0,4}[:=]|signer|wallet|deployer/i;
const namesHash = /hash|\btx|txn|topic|block|root|digest|signature|bytes32|commit|salt|slot/i;

function isPrivateNumber(text: string, start: number, end: number): boolean {
  ethereumKey.lastIndex = start;
  if (end - start !== 66 || !ethereumKey.test(text) || isPlaceholder(text.slice(start + 2, end))) return false;
  const before = text.slice(Math.max(0, start - 120), start);
  const line = before.slice(before.lastIndexOf("\n") + 1) + (/^[^\n]{0,60}/.exec(text.slice(end, end + 60))?.[0] ?? "");
  return namesWallet.test(line) && !namesHash.test(line);
}

/** Judges the run of token characters `[start, end)`. */
export function judgeRun(text: string, start: number, end: number): FoundSecret | undefined {
  const length = end - start;
  const first = text[start];
  if ((first === "M" || first === "N" || first === "O") && text[end] === ".") {
    const stop = matches(discord, text, start);
    if (stop > 0 && isLikelyRandom(text.slice(start, stop), 50))
      return { label: "discord_bot", rank: 1, start, end: stop };
  }
  if (first === "0" && isPrivateNumber(text, start, end)) return { label: "ethereum_private_key", rank: 1, start, end };
  if (text[start - 1] === ":" && first === "A" && runEnd(text, start, identifierClass, 64) - start >= 34) {
    const number = runStart(text, start - 1, digitClass, 12);
    const stop = matches(telegram, text, start - 1);
    const digits = start - 1 - number;
    if (stop > 0 && digits >= 8 && digits <= 10 && !isPlaceholder(text.slice(start, stop))) {
      return { label: "telegram_bot_token", rank: 1, start: number, end: stop };
    }
  }
  if (text[start - 1] === "." && length === 64 && runStart(text, end, hexClass, 64) === start) {
    const from = start - 18;
    if (from >= 0 && startsToken(text, from) && matches(airtable, text, from) === end) {
      return { label: "airtable_token", rank: 1, start: from, end };
    }
  }
  return undefined;
}
