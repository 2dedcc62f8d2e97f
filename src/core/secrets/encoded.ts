// Finds base64 and hex that encode a text with a secret, as in a Kubernetes Secret, on one line or wrapped over several.
import { base64Class, hexClass, runEnd } from "./characters.ts";
import { type FoundSecret, reach } from "./rule.ts";

const values = new Int8Array(128).fill(-1);
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
for (let index = 0; index < 64; index += 1) values[alphabet.charCodeAt(index)] = index;
values["-".charCodeAt(0)] = 62;
values["_".charCodeAt(0)] = 63;

/** Decodes `text[start, end)` up to its padding. Undefined when a character is not base64. */
export function decodeBase64(text: string, start = 0, end = text.length): string | undefined {
  let bits = 0;
  let held = 0;
  let decoded = "";
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 61) break;
    const value = code < 128 ? (values[code] ?? -1) : -1;
    if (value < 0) return undefined;
    held = ((held << 6) | value) & 0xff_ff_ff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      decoded += String.fromCharCode((held >> bits) & 255);
    }
  }
  return decoded;
}

/** Whether every character is printable ASCII or white space. */
export function isPrintable(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 126 || (code < 32 && code !== 9 && code !== 10 && code !== 13)) return false;
  }
  return true;
}

const longest = reach / 2;
const lineBreak = /={0,2}(?:\\n|\r?\n[ \t]{0,40})/y;

interface Encoded {
  readonly found: FoundSecret | undefined;
  /** The end of the range that was read: a wrapped block is not read again from its next line. */
  readonly end: number;
}

/** Judges the run `[start, end)`, with the next lines if it is wrapped. `hides`: whether a text contains a secret. */
export function judgeEncoded(text: string, start: number, end: number, hides: (hidden: string) => boolean): Encoded {
  // Most runs are names, paths and pictures, which the first 12 characters show.
  const probe = decodeBase64(text, start, start + 12);
  if (probe !== undefined && isPrintable(probe)) {
    const block = readBlock(text, start, end);
    if (!block) return { found: undefined, end };
    const found = hides(block.hidden);
    return {
      found: found ? { label: "base64_wrapped", rank: 2, start, end: block.end } : undefined,
      end: block.end,
    };
  }
  const length = end - start;
  if (length % 2 === 1 || length > longest || runEnd(text, start, hexClass, length) !== end)
    return { found: undefined, end };
  const hidden = decodeHex(text, start, end);
  const found = isPrintable(hidden) && hides(hidden);
  return { found: found ? { label: "hex_wrapped", rank: 2, start, end } : undefined, end };
}

/** The decoded text of the run, and of the next lines while each previous line was full and each decodes to text. */
function readBlock(text: string, start: number, end: number): { hidden: string; end: number } | undefined {
  const first = decodeBase64(text, start, Math.min(end, start + longest));
  if (first === undefined || !isPrintable(first.slice(0, -2))) return undefined;
  const width = end - start;
  let hidden = first;
  let stop = end;
  let full = width >= 40 && width % 4 === 0;
  while (full && stop - start < longest) {
    lineBreak.lastIndex = stop;
    if (!lineBreak.test(text)) break;
    const next = lineBreak.lastIndex;
    const nextEnd = runEnd(text, next, base64Class, width + 1);
    const line = decodeBase64(text, next, nextEnd);
    if (nextEnd === next || nextEnd - next > width || line === undefined || !isPrintable(line.slice(0, -2))) break;
    hidden += line;
    stop = nextEnd;
    full = nextEnd - next === width;
  }
  const padding = /^={1,2}/.exec(text.slice(stop, stop + 2))?.[0].length ?? 0;
  return { hidden, end: stop + padding };
}

function decodeHex(text: string, start: number, end: number): string {
  let decoded = "";
  for (let index = start; index < end; index += 2) {
    decoded += String.fromCharCode(Number.parseInt(text.slice(index, index + 2), 16));
  }
  return decoded;
}
