// Reads the value of an assignment, quoted or not, and judges whether it is a secret.
import { characterClass } from "../characters.ts";
import { isEverydayWord } from "../placeholder.ts";
import { looksRandom, shapeOf } from "../randomness.ts";

export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const longest = 4096;
const plainEnd = characterClass(" \t\r\n\"'`,;)]}<>&|");

/** The value at `at`; undefined where none stands or a quoted one does not end on its line. */
export function readValue(text: string, at: number): Value | undefined {
  const quote = text[at];
  if (quote === '"' || quote === "'" || quote === "`") return readQuoted(text, at + 1, quote);
  // A quote inside of a quoted text, as in JSON that holds JSON.
  if (quote === "\\" && (text[at + 1] === '"' || text[at + 1] === "'")) return readPlain(text, at + 2, true);
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
    if ((code < 128 && plainEnd[code] === 1) || text[end] === "\\") break;
    end += 1;
  }
  return { start, end, quoted };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Code, paths, addresses, references and hashes that name their algorithm. */
const notAValue =
  /^(?:\$|%[A-Za-z_]+%|@|#|https?:|file:|\.{0,2}\/|~\/|[A-Za-z]:\\|process\.|os\.|env\.|self\.|this\.|sha\d{1,3}[-:]|arn:|projects\/|urn:|data:|ssh-|-----|\{|\[|\()|[\s(]|\$\{|::|=>|\.(?:js|ts|json|ya?ml|pem|key|md|html?|txt|py|go|env)$/;

/** Whether a value that is named like a secret is one. `password` allows what people choose. */
export function isSecretValue(value: string, kind: "password" | "key", quoted: boolean): boolean {
  if (value.length < 8 || notAValue.test(value) || uuid.test(value) || isEverydayWord(value)) return false;
  if (!quoted && !/^[A-Za-z0-9+/=_.~@!#$%^*:-]+$/.test(value)) return false;
  if (looksRandom(value, kind === "password" ? 10 : 16) && !isDotted(value)) return true;
  if (kind !== "password") return false;
  const { lower, upper, digits, symbols } = shapeOf(value);
  return lower > 0 && upper > 0 && digits > 0 && symbols > 0 && !/[.[\]\\]/.test(value);
}

/** `config.token.v2Value`: names joined by dots. */
const isDotted = (value: string): boolean =>
  /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && !looksRandom(value.split(".").at(-1) ?? "");
