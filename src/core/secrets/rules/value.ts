// Reads the value of an assignment, quoted or not, and judges whether it is a secret.
import { characterClass, runEnd } from "../characters.ts";
import { decodeBase64 } from "../encoded.ts";
import { isEverydayWord } from "../placeholder.ts";
import { isLikelyRandom, sampleLength, type Shape, letterShape } from "../randomness.ts";

interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const longest = 4096;
const backslash = characterClass("\\");
const plainEnd = characterClass(" \t\r\n\"'`,;)]}<>&|");

/** The value at `at`. Undefined when a quoted one does not end on its line. */
export function readValue(text: string, at: number): Value | undefined {
  const quote = text[at];
  if (quote === '"' || quote === "'" || quote === "`") return readQuoted(text, at + 1, quote);
  // A quote inside a quoted text, as in JSON that contains JSON.
  const escaped = quote === "\\" ? runEnd(text, at, backslash, 8) : at;
  if (escaped > at && (text[escaped] === '"' || text[escaped] === "'")) return readPlain(text, escaped + 1, true);
  return readPlain(text, at, false);
}

function readQuoted(text: string, start: number, quote: string): Value | undefined {
  const stop = Math.min(text.length, start + longest);
  for (let index = start; index < stop; index += 1) {
    const character = text[index];
    if (character === quote) return { start, end: index, quoted: true };
    if (character === "\\") index += 1;
    else if (character === "\n" || character === "\r") return undefined;
  }
  return undefined;
}

function readPlain(text: string, start: number, quoted: boolean): Value {
  const stop = Math.min(text.length, start + longest);
  let end = start;
  while (end < stop) {
    const code = text.charCodeAt(end);
    if (((code < 128 && plainEnd[code] === 1) || text[end] === "\\") && !isPartOfPassword(text, end)) break;
    end += 1;
  }
  return { start, end, quoted };
}

const nextParameter = /&(?:[\w.[\]-]{1,40}[=;]|[&\s]|$)/y;

/** An ampersand ends a value if a parameter or command follows; otherwise it is part of a password. */
function isPartOfPassword(text: string, at: number): boolean {
  nextParameter.lastIndex = at;
  return text[at] === "&" && !nextParameter.test(text);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Code, addresses, references and hashes that name their algorithm. */
const notAValue =
  /^(?:\$|%[A-Za-z_]+%|@|#|https?:|file:|ENC[[(]|ENCRYPTED\[|!vault|pk\.eyJ|0x[0-9a-fA-F]{40}$|\.{1,2}\/|~\/|[A-Za-z]:\\|process\.|os\.|env\.|self\.|this\.|sha\d{1,3}[-:]|arn:|projects\/|urn:|data:|ssh-|-----|\{|\[|\()|\s|\$\{|::|=>|^[\w.-]+:\d{2,5}$|\.(?:js|ts|json|ya?ml|pem|key|md|html?|txt|py|go|env)$/;
const plainValue = /^[A-Za-z0-9+/=_.~@!#$%^&*:-]+$/;

/** Encrypted for a cluster by kubeseal: the first two bytes are the length of the key that follows. */
const sealed = /^Ag[A-D][A-Za-z0-9+/]{197,}={0,2}$/;

/** Whether the value of a name such as `token` is a secret. A password need not be random: a person may have chosen it. */
export function isSecretValue(whole: string, kind: "password" | "key", quoted: boolean): boolean {
  const value = whole.slice(0, sampleLength);
  // Django puts this before a random key of letters, digits and signs.
  if (value.startsWith("django-insecure-")) return letterShape(value).distinct >= 20;
  if (value.length < 8) return false;
  if (sealed.test(whole)) return false;
  const shape = letterShape(value);
  if (quoted && isRandomWithSigns(value, shape)) return true;
  if (!isRandomValue(value, shape, quoted) && !(kind === "password" && isChosenPassword(value, shape, quoted)))
    return false;
  if (notAValue.test(value) || uuid.test(value) || (!quoted && !plainValue.test(value))) return false;
  if (isPhrase.test(value) && shape.digits <= 3 && shape.wordiness >= 4.5) return false;
  return !isDotted(value, shape) && !isPath(value, shape) && !isEverydayWord(value);
}

/** A random string of letters, digits and signs, as frameworks generate keys. Its first character may be any sign. */
const isRandomWithSigns = (value: string, { distinct, digits, changes }: Shape): boolean =>
  value.length >= 40 &&
  value.length <= 120 &&
  distinct >= 24 &&
  digits >= 2 &&
  changes >= 0.25 &&
  value.replaceAll(/[^!@#$%^&*()+=]/g, "").length >= 3 &&
  !/[\s/\\{}<>]|\$\(|::/.test(value);

/** Random. A value without quotes is more often a variable or a type, and must be more random. */
function isRandomValue(value: string, shape: Shape, quoted: boolean): boolean {
  const { digits, changes, wordiness } = shape;
  return (
    (isLikelyRandom(value, 16, shape) || isMixed(value, shape)) &&
    (quoted || digits >= 2 || changes >= 0.25 || wordiness < 4.5)
  );
}

/** Shorter than most keys, but with capitals, small letters and digits mixed as in no name. */
const isMixed = (value: string, { lower, upper, digits, changes, wordiness }: Shape): boolean =>
  value.length >= 12 && lower >= 2 && upper >= 2 && digits >= 3 && changes >= 0.3 && wordiness < 5;

/** Chosen as a password: short but random, or of several kinds of characters. */
function isChosenPassword(value: string, shape: Shape, quoted: boolean): boolean {
  const { lower, upper, digits, symbols, changes, wordiness } = shape;
  const odd = digits > 0 || /[@!#$%^&*?~+=]/.test(value) || wordiness < 3.5 || (wordiness < 4.5 && changes >= 0.15);
  if (odd && isLikelyRandom(value, 10, shape)) return true;
  if (digits === 0 || lower === 0 || upper === 0 || /[.[\]\\/:]/.test(value)) return false;
  if (!quoted) return symbols > 0 && symbols < 4;
  return symbols > 0 || (value.length >= 12 && changes >= 0.2 && wordiness < 6.5);
}

/** `google_oauth2_csrf`: words joined by `_`, `-` or dots. */
const isPhrase = /^[A-Za-z]+\d{0,2}(?:[-_.][A-Za-z]+\d{0,2})+$/;

/** `config.token.v2Value`: names joined by dots. In names the kind of character changes less often than in random values. */
const isDotted = (value: string, { digits, changes }: Shape): boolean =>
  /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) &&
  !isLikelyRandom(value.split(".").at(-1) ?? "") &&
  !(digits >= 2 && changes >= 0.4);

/** A path, unless it looks like base64 that starts with a slash. */
const isPath = (value: string, { changes }: Shape): boolean =>
  value.startsWith("/") && !(value.length >= 32 && changes >= 0.25 && !/[._-]/.test(value));

/** `eyJ2IjoiMSIs...`: the value was cut for show. */
export const isCutShort = (text: string, end: number): boolean => text.startsWith("...", end) || text[end] === "…";

/** `KeysRootPassword = "RootPassword"`: the value is the name once more. */
export const isOwnName = (value: string, name: string): boolean =>
  value.length >= 8 && /^[A-Za-z]+$/.test(value) && name.toLowerCase().endsWith(value.toLowerCase());

/** Base64 of words with blanks between them. */
export const isSentence = (value: string): boolean =>
  value.length >= 16 &&
  value.length <= 200 &&
  /^[A-Za-z0-9+/]+={0,2}$/.test(value) &&
  /^[A-Za-z]+(?:,? [A-Za-z]+){2,}[.!]?$/.test(decodeBase64(value) ?? "");
