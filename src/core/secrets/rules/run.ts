// Rules without a literal: they are tested at every run of at least 24 token characters.
import { digitClass, hexClass, identifierClass, runEnd, runStart, startsToken } from "../characters.ts";
import { isPlaceholder } from "../placeholder.ts";
import { isLikelyRandom } from "../randomness.ts";
import type { FoundSecret } from "../rule.ts";

const discord = /[A-Za-z0-9][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9])/y;
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

const isMixed = (part: string) => /[a-z]/.test(part) && /[A-Z]/.test(part);

/** Tokens of Discord begin with M, N or O today. Others must have a digit, and letters of both cases in the long parts. */
function isDiscordToken(token: string): boolean {
  const [head = "", , tail = ""] = token.split(".");
  return isLikelyRandom(token, 50) && (/^[MNO]/.test(head) || (/\d/.test(token) && isMixed(head) && isMixed(tail)));
}

/** `s.` and 24 letters and digits: tokens of Vault before version 1.10. A member of a class has fewer digits. */
function isOldVaultToken(text: string, start: number, end: number): boolean {
  if (text.slice(start - 2, start) !== "s." || !startsToken(text, start - 2) || /[\w.(-]/.test(text[end] ?? ""))
    return false;
  const token = text.slice(start, end);
  return /^[A-Za-z0-9]+$/.test(token) && /\d.*\d/.test(token) && isMixed(token) && isLikelyRandom(token);
}

/** A file that holds nothing but a key, such as `config/master.key` of Rails. */
export function judgeKeyFile(text: string, fileName: string): FoundSecret | undefined {
  if (!fileName.endsWith(".key") || text.length > 200) return undefined;
  const key = /^\s*([A-Za-z0-9+/=_-]{24,150})\s*$/.exec(text)?.[1];
  if (key === undefined || isPlaceholder(key) || !isLikelyRandom(key)) return undefined;
  const start = text.indexOf(key);
  return { label: "key_file", rank: 2, start, end: start + key.length };
}

/** Judges the run of token characters `[start, end)`. */
export function judgeRun(text: string, start: number, end: number): FoundSecret | undefined {
  const length = end - start;
  const first = text[start];
  if (text[end] === ".") {
    const stop = matches(discord, text, start);
    if (stop > 0 && isDiscordToken(text.slice(start, stop))) return { label: "discord_bot", rank: 1, start, end: stop };
  }
  if (length === 24 && isOldVaultToken(text, start, end))
    return { label: "vault_token", rank: 1, start: start - 2, end };
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
