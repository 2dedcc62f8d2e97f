// Rules for credentials in URLs: `scheme://user:password@host`, a bare token before the `@`, tokens in the query.
import { isEverydayWord, isPlaceholder } from "../placeholder.ts";
import { isLikelyRandom, letterShape } from "../randomness.ts";
import type { FoundSecret, ScanContext, SecretRule } from "../rule.ts";

const authority = /:\/\/([^\s:/?#@"'<>`\\^{}|]{0,200})(?::([^\s/?#"'<>`\\^|]{1,300}?))?@([A-Za-z0-9.[\]:_%*-]{1,200})/y;
const documentation =
  /^(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|host|hostname|db|server|(?:[\w-]+\.)*example(?:\.\w+)?|(?:[\w-]+\.)*test)(?::|$)/i;

function judgeAuthority(text: string, at: number, { code, credentials }: ScanContext): FoundSecret | undefined {
  authority.lastIndex = at;
  const match = authority.exec(text);
  if (!match) return undefined;
  const [, user = "", password, host = ""] = match;
  const isDatabase = databaseScheme.test(text.slice(Math.max(0, at - 14), at));
  const userStart = at + 3;
  if (password === undefined) {
    if (!isLikelyRandom(user, 20) || user.startsWith("%") || isPlaceholder(user) || /sentry/i.test(host))
      return undefined;
    return { label: "url_credentials", rank: 2, start: userStart, end: userStart + user.length };
  }
  if (code && (!/\d/.test(password) || wordAndNumber.test(password)) && !isLikelyRandom(password, 10)) return undefined;
  if (`${user}:${password}` === "scott:tiger") return undefined;
  if (!isRealPassword(password, user, host) && !((isDatabase || credentials) && isGivenPassword(password)))
    return undefined;
  const start = userStart + user.length + 1;
  return { label: "url_credentials", rank: 2, start, end: start + password.length };
}

/** `password12345`, `a%20secret`: a word, and signs or numbers that count. */
const wordAndNumber = /^(?:[A-Za-z]|%\d[0-9A-F])+[-_:]?(?:1|12|123|1234\d*)?$/;

const databaseScheme =
  /(?:mongodb|mongodb\+srv|postgres|postgresql|mysql|mariadb|mssql|sqlserver|redis|rediss|amqps?|couchdb|cassandra|clickhouse|ldaps?|ftps?|sftp)$/i;

/** The password of a database counts however weak it is, unless it is a word for a password. */
const isGivenPassword = (password: string): boolean =>
  password.length >= 4 &&
  !isPlaceholder(password) &&
  !/^(?:pass(?:word|wd|phrase)?|passw|pwd|pw|user(?:name)?|test\w{0,6}|postgres|root|admin|mysql|redis|guest|foo|bar|baz|abcd?|1234\d*)$|[{}$<>%*[\]]/i.test(
    password,
  );

function isRealPassword(password: string, user: string, host: string): boolean {
  // A usage line, `[user[:password]@]`, and words joined by blanks are not passwords.
  if (password.endsWith("]") && user.startsWith("[")) return false;
  if (/^(?:pass(?:word)?)(?:%20\w+)*$/i.test(password)) return false;
  if (password.length < 4 || isEverydayWord(password) || password === user) return false;
  if (/^[$%{[(:]|[{}$]|^\d+$/.test(password) && !isLikelyRandom(password, 12)) return false;
  if (documentation.test(host)) return isLikelyRandom(password, 12);
  const shape = letterShape(password);
  const classes = [shape.lower, shape.upper, shape.digits, shape.symbols].filter((count) => count > 0).length;
  return classes >= 2 || password.length >= 10;
}

const names =
  "appid|access_token|refresh_token|id_token|auth_token|authtoken|api_token|token|api_key|apikey|api-key|app_key|appkey|key|secret|client_secret|password|passwd|pwd|auth|signature|x-amz-signature|x-amz-security-token|x-goog-signature|sig|session|sessionid|sid|private_token|subscription-key|jwt|code";
const query = new RegExp(`[?&](${names})=([^\\s?&#"'<>\`\\\\{}$;)\\]]{8,4096})`, "iy");

function judgeQuery(text: string, at: number): FoundSecret | undefined {
  query.lastIndex = at;
  const match = query.exec(text);
  const value = match?.[2];
  if (!match || value === undefined || isEverydayWord(value)) return undefined;
  // A code of an authorisation lives for a minute; the key of a function has forty characters and more.
  if (/^code$/i.test(match[1] ?? "") && value.length < 40) return undefined;
  if (!isLikelyRandom(value, /^(?:pass|pwd)/i.test(match[1] ?? "") ? 10 : 16)) return undefined;
  const end = at + match[0].length;
  return { label: "url_query_token", rank: 2, start: end - value.length, end };
}

/** The start of a parameter with one of the names, in the spellings that occur. */
const queryLiterals = ["?", "&"].flatMap((mark) =>
  [
    "access_",
    "refresh_",
    "id_token",
    "auth",
    "api",
    "app",
    "appid",
    "token",
    "key=",
    "secret=",
    "client_",
    "pass",
    "pwd=",
    "sig",
    "session",
    "sid=",
    "private_",
    "subscription-key",
    "jwt=",
    "code=",
    "X-Amz-S",
    "X-Goog-S",
    "x-amz-s",
  ].map((name) => mark + name),
);

export const urlRules: readonly SecretRule[] = [
  { label: "url_credentials", rank: 2, literals: ["://"], judge: judgeAuthority },
  { label: "url_query_token", rank: 2, literals: queryLiterals, judge: judgeQuery },
];
