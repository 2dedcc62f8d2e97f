// Rules for HTTP headers: bearer and basic authorisation, cookies.
import { decodeBase64, isPrintable } from "../encoded.ts";
import { createStretchLimit, type FoundSecret, type SecretRule, type ScanContext } from "../rule.ts";
import { isEverydayWord, isPlaceholder } from "../placeholder.ts";
import { isLikelyRandom } from "../randomness.ts";

const bearer = /[Bb](?:earer|EARER)["']?[ \t:=]{1,4}["']?([A-Za-z0-9._~+/-]{12,4096}={0,2})/y;

function judgeBearer(text: string, at: number): FoundSecret | undefined {
  bearer.lastIndex = at;
  const match = bearer.exec(text);
  const value = match?.[1];
  if (!match || value === undefined || isPlaceholder(value) || !isLikelyRandom(value)) return undefined;
  const end = at + match[0].length;
  return { label: "bearer_token", rank: 2, start: end - value.length, end };
}

const authorization =
  /uthorization["']?\]?\s{0,3}[:=,]\s{0,3}["']?(?:(?:token|Token|ApiKey|apikey|Key|GenieKey|Splunk|SSWS|OAuth|Digest|AWS|Api-Token)\s{1,3})?([A-Za-z0-9._~+/-]{16,4096}={0,2})/y;

function judgeAuthorization(text: string, at: number): FoundSecret | undefined {
  authorization.lastIndex = at;
  const match = authorization.exec(text);
  const value = match?.[1];
  if (!match || value === undefined || isPlaceholder(value) || !isLikelyRandom(value)) return undefined;
  // The name of a signing scheme, not a value.
  if (value.startsWith("AWS4-")) return undefined;
  const end = at + match[0].length;
  return { label: "authorization_header", rank: 2, start: end - value.length, end };
}

const basic = /[Bb](?:asic|ASIC)[ \t]{1,4}([A-Za-z0-9+/_-]{8,1024}={0,2})/y;

function judgeBasic(text: string, at: number): FoundSecret | undefined {
  basic.lastIndex = at;
  const match = basic.exec(text);
  const value = match?.[1];
  if (!match || value === undefined || !isEncodedLogin(value)) return undefined;
  const end = at + match[0].length;
  return { label: "basic_auth_header", rank: 2, start: end - value.length, end };
}

/** Whether the base64 encodes `user:password` with any password but a placeholder. */
export function holdsLogin(value: string): boolean {
  const password = /^[^:\s]+:(\S{4,})$/.exec(decodeBase64(value) ?? "")?.[1];
  return password !== undefined && isPrintable(password) && !isPlaceholder(password);
}

/** Whether the base64 encodes `user:password` with a password that is not a documentation word; in code, not any word. */
export function isEncodedLogin(value: string, inCode = false): boolean {
  const decoded = decodeBase64(value);
  if (!decoded || !isPrintable(decoded)) return false;
  const colon = decoded.indexOf(":");
  const password = decoded.slice(colon + 1);
  if (/^[A-Z]+_[A-Z_%]+/.test(password)) return false;
  if (inCode && /^[a-z]+$/i.test(password)) return false;
  return colon >= 0 && password.length >= 4 && !/\s/.test(decoded) && !isEverydayWord(password);
}

const pair = /[ \t]*([A-Za-z0-9!#$%&'*+.^_|~-]{1,100})=("?)([A-Za-z0-9%._~+/:|!=@-]{0,4096})\2/y;
const sessionName =
  /sess|sid$|^sid|auth|token|jwt|remember|login|user_?key|identity|credential|secret|csrf|xsrf|ticket|access|refresh|cf_clearance|__cf_bm/i;

function judgeCookie(text: string, at: number): FoundSecret | undefined {
  pair.lastIndex = at;
  const match = pair.exec(text);
  const value = match?.[3];
  if (!match || value === undefined || value.length < 12) return undefined;
  const named = sessionName.test(match[1] ?? "");
  if (isEverydayWord(value) || !isLikelyRandom(value, named ? 12 : 24) || /^GA\d\.\d/.test(value)) return undefined;
  const end = at + match[0].length - (match[2]?.length ?? 0);
  return { label: "session_cookie", rank: 2, start: end - value.length, end };
}

const cookieStart =
  /(?:[Cc](?:ookie|OOKIE)["']?\]?\s{0,3}[:=,]\s{0,3}(?:["']value["']\s{0,3}:\s{0,3})?|-b[ =]|--cookie[ =]|cookie[ \t]{1,3})["'`]?/y;
const attribute = /;[ \t]*/y;

const stretchLimit = createStretchLimit();

function judgeCookies(text: string, at: number, context: ScanContext): FoundSecret[] {
  cookieStart.lastIndex = at;
  if (!cookieStart.test(text) || !stretchLimit.admits(at, context)) return [];
  const found: FoundSecret[] = [];
  let index = cookieStart.lastIndex;
  for (let count = 0; count < 60; count += 1) {
    pair.lastIndex = index;
    if (!pair.test(text)) break;
    const next = pair.lastIndex;
    stretchLimit.read(next, context);
    const one = judgeCookie(text, index);
    if (one) found.push(one);
    attribute.lastIndex = next;
    if (next - at > 8192 || !attribute.test(text)) break;
    index = attribute.lastIndex;
  }
  return found;
}

export const headerRules: readonly SecretRule[] = [
  { label: "bearer_token", rank: 2, literals: ["Bearer", "bearer", "BEARER"], judge: judgeBearer },
  { label: "authorization_header", rank: 2, literals: ["uthorization"], judge: judgeAuthorization },
  { label: "basic_auth_header", rank: 2, literals: ["Basic ", "basic ", "BASIC "], judge: judgeBasic },
  {
    label: "session_cookie",
    rank: 2,
    literals: ["Cookie", "cookie", "COOKIE", "-b ", "--cookie"],
    judge: judgeCookies,
  },
];
