// Reads the value of an assignment, quoted or not, and judges whether it is a secret.
import { characterClass, runEnd } from "../characters.ts";
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

/** The value at `at`; undefined where none stands or a quoted one does not end on its line. */
export function readValue(text: string, at: number): Value | undefined {
  const quote = text[at];
  if (quote === '"' || quote === "'" || quote === "`") return readQuoted(text, at + 1, quote);
  // A quote inside of a quoted text, as in JSON that holds JSON that holds JSON.
  const escaped = quote === "\\" ? runEnd(text, at, backslash, 8) : at;
  if (escaped > at && (text[escaped] === '"' || text[escaped] === "'"))
    return readPlain(text, escaped + 1, true);
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

/** An ampersand ends a value where a next parameter or command follows; else a password may hold one. */
function isPartOfPassword(text: string, at: number): boolean {
  nextParameter.lastIndex = at;
  return text[at] === "&" && !nextParameter.test(text);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Code, addresses, references and hashes that name their algorithm. */
const notAValue =
  /^(?:\$|%[A-Za-z_]+%|@|#|https?:|file:|ENC\[|pk\.eyJ|0x[0-9a-fA-F]{40}$|\.{1,2}\/|~\/|[A-Za-z]:\\|process\.|os\.|env\.|self\.|this\.|sha\d{1,3}[-:]|arn:|projects\/|urn:|data:|ssh-|-----|\{|\[|\()|\s|\$\{|::|=>|^[\w.-]+:\d{2,5}$|\.(?:js|ts|json|ya?ml|pem|key|md|html?|txt|py|go|env)$/;
const plainValue = /^[A-Za-z0-9+/=_.~@!#$%^&*:-]+$/;

/** Encrypted for a cluster by kubeseal: the first two bytes are the length of the key that follows. */
const sealed = /^Ag[A-D][A-Za-z0-9+/]{197,}={0,2}$/;

/** Whether a value that is named like a secret is one. A password may be what a person chooses. */
export function isSecretValue(whole: string, kind: "password" | "key", quoted: boolean): boolean {
  const value = whole.slice(0, sampleLength);
  // Django writes this before a key that it has drawn from letters, digits and signs.
  if (value.startsWith("django-insecure-")) return letterShape(value).distinct >= 20;
  if (value.length < 8) return false;
  if (sealed.test(whole)) return false;
  const shape = letterShape(value);
  if (quoted && isDrawnFromAll(value, shape)) return true;
  if (!isDrawn(value, shape, quoted) && !(kind === "password" && isChosen(value, shape, quoted)))
    return false;
  if (notAValue.test(value) || uuid.test(value) || (!quoted && !plainValue.test(value))) return false;
  if (isPhrase.test(value) && shape.digits <= 3 && shape.wordiness >= 4.5) return false;
  return !isDotted(value, shape) && !isPath(value, shape) && !isEverydayWord(value);
}

/** Drawn from letters, digits and signs, as frameworks make their keys: the first sign says nothing. */
const isDrawnFromAll = (value: string, { distinct, digits, changes }: Shape): boolean =>
  value.length >= 40 &&
  value.length <= 120 &&
  distinct >= 24 &&
  digits >= 2 &&
  changes >= 0.25 &&
  value.replaceAll(/[^!@#$%^&*()+=]/g, "").length >= 3 &&
  !/[\s/\\{}<>]|\$\(|::/.test(value);

/** Drawn at random. A name without quotes is more often a variable or a type, and must be more random. */
function isDrawn(value: string, shape: Shape, quoted: boolean): boolean {
  const { digits, changes, wordiness } = shape;
  return isLikelyRandom(value, 16, shape) && (quoted || digits >= 2 || changes >= 0.25 || wordiness < 4.5);
}

/** Chosen as a password: short but random, or of several kinds of characters. */
function isChosen(value: string, shape: Shape, quoted: boolean): boolean {
  const { lower, upper, digits, symbols, changes, wordiness } = shape;
  const odd =
    digits > 0 || /[@!#$%^&*?~+=]/.test(value) || wordiness < 3.5 || (wordiness < 4.5 && changes >= 0.15);
  if (odd && isLikelyRandom(value, 10, shape)) return true;
  if (digits === 0 || lower === 0 || upper === 0 || /[.[\]\\/:]/.test(value)) return false;
  if (!quoted) return symbols > 0 && symbols < 4;
  return symbols > 0 || (value.length >= 12 && changes >= 0.2 && wordiness < 6.5);
}

/** `google_oauth2_csrf`: words joined by lines. */
const isPhrase = /^[A-Za-z]+\d{0,2}(?:[-_.][A-Za-z]+\d{0,2})+$/;

/** `config.token.v2Value`: names joined by dots. Names change their kind of letter less often than chance does. */
const isDotted = (value: string, { digits, changes }: Shape): boolean =>
  /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) &&
  !isLikelyRandom(value.split(".").at(-1) ?? "") &&
  !(digits >= 2 && changes >= 0.4);

/** A path, unless it is the kind of base64 that begins with a slash. */
const isPath = (value: string, { changes }: Shape): boolean =>
  value.startsWith("/") && !(value.length >= 32 && changes >= 0.25 && !/[._-]/.test(value));
