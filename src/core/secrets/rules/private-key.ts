// Private keys in PEM, OpenSSH, PGP and PuTTY form, with the whole body: in files, quoted in JSON, in comments, diffs.
import { characterClass, isAt, runEnd, alphanumeric } from "../characters.ts";
import type { FoundSecret, SecretRule } from "../rule.ts";

const header = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const footer = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
/** Fields of an encrypted or armoured key. */
const field = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): ?[^\r\n\\"']{0,120}/y;
/** The text between the pieces of a body: line ends, real or escaped, quotes, joints, comment and diff marks. */
const between = characterClass(" \t\r\n\"'`+,;\\*#>|.()");
const bodyClass = characterClass(`${alphanumeric}+/=`);
const escape = /\\{1,4}[rnt]|\\u000[ad]|&#1[03];|&#x0?[ad];|<br ?\/?>|%0[AaDd]/y;

const lookingAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

/** The end of what belongs to a key whose text goes on at `from`: after its footer, or where something foreign stands. */
export function keyBodyEnd(text: string, from: number): { end: number; closed: boolean; characters: number } {
  let index = from;
  let end = from;
  let characters = 0;
  while (index < text.length) {
    const closing = lookingAt(footer, text, index);
    if (closing > index) return { end: escapedLineEnd(text, closing), closed: true, characters };
    const next = Math.max(lookingAt(escape, text, index), lookingAt(field, text, index));
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

/** A quoted key ends with the `\n` after its footer. */
function escapedLineEnd(text: string, at: number): number {
  let end = at;
  for (let next = lookingAt(escape, text, end); next > end; next = lookingAt(escape, text, end)) end = next;
  return end;
}

function judgePem(text: string, at: number): FoundSecret | undefined {
  const from = lookingAt(header, text, at);
  if (from === at) return undefined;
  const body = keyBodyEnd(text, from);
  // A header in source code, such as the pattern of a parser, has no body.
  if (body.characters < 24) return undefined;
  return { label: "private_key", rank: 1, start: at, end: body.end };
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
