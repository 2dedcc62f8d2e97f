// Finds tokens that are hidden from a plain scan: by invisible characters and lookalike letters, UTF-16 read as bytes,
// colour sequences, escapes of URLs and string literals, or strings joined from parts.
import type { FoundSecret } from "./rule.ts";
import { type ViewPiece, toOriginal, textViewOf } from "./view.ts";

const invisible =
  /\u001b\[[0-9;]{0,16}[mK]|[\0\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|[\uff01-\uff5e]|(?<=[!-~])[аеорсухіјѕАВЕКМНОРСТХІЈЅ](?=[!-~])/g;
/** Cyrillic letters that look like Latin ones, and those Latin letters in the same order. */
const lookalikes = "аеорсухіјѕАВЕКМНОРСТХІЈЅ";
const latinLetters = "aeopcyxijsABEKMHOPCTXIJS";
const colour = String.raw`\u001b\[[0-9;]{0,16}[mK]`;
const tokenBefore = "(?<=[A-Za-z0-9_-])";
const tokenAfter = "(?=[A-Za-z0-9_-])";
const escapes = [
  String.raw`\\u00[2-7][0-9a-fA-F]`,
  String.raw`\\x[2-7][0-9a-fA-F]`,
  "%[2-7][0-9a-fA-F]",
  "&#(?:x[2-7][0-9a-fA-F]|[3-9][0-9]|1[0-2][0-9]);",
];
const joints = [
  // "gh" + "p_…", "gh" . "p_…", "gh" "p_…"
  String.raw`${tokenBefore}["'\x60]\s{0,40}(?:[+.&\\]\s{0,40})?["'\x60]${tokenAfter}`,
  // ["ghp_", "…"].join("") and `ghp_${"…"}`
  String.raw`(?<=gh[pousr]_|AKIA|sk-|glpat-|npm_|hf_|xox[bp]-|_live_|AIza)(?:["'\x60]\s{0,4},\s{0,4}|\$\{)["'\x60]${tokenAfter}`,
  // a line continued, in a shell or in quoted-printable mail
  String.raw`${tokenBefore}[\\=]\r?\n${tokenAfter}`,
];
const wrapping = new RegExp([...escapes, ...joints, colour].join("|"), "g");
const margin = 400;

/** Findings that appear only when invisible characters and colours are removed. */
export function throughInvisible(text: string, scan: (text: string) => FoundSecret[]): FoundSecret[] {
  invisible.lastIndex = 0;
  if (!invisible.test(text)) return [];
  const view = textViewOf(text, 0, text.length, [...piecesOf(text, invisible)]);
  return toOriginal(scan(view.text), view);
}

/** Findings of rank 1 and 2 that appear only when escapes are decoded and joined strings are concatenated. */
export function throughWrapping(text: string, scan: (text: string) => FoundSecret[]): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const segment of segmentsOf(text)) {
    const first = segment[0]?.at ?? 0;
    const last = segment.at(-1)?.at ?? 0;
    const view = textViewOf(text, Math.max(0, first - margin), Math.min(text.length, last + 2 * margin), segment);
    const shaped = scan(view.text).filter(({ rank }) => rank < 3);
    for (const secret of toOriginal(shaped, view)) found.push(secret);
  }
  return found;
}

/** Groups of pieces that are near each other: text far from all pieces needs no second scan. */
function* segmentsOf(text: string): Generator<ViewPiece[]> {
  let segment: ViewPiece[] = [];
  for (const piece of piecesOf(text, wrapping)) {
    const last = segment.at(-1);
    if (last && piece.at - last.at > 3 * margin) {
      yield segment;
      segment = [];
    }
    segment.push(piece);
  }
  if (segment.length > 0) yield segment;
}

function* piecesOf(text: string, pattern: RegExp): Generator<ViewPiece> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    yield { at: match.index, length: match[0].length, meaning: meaningOf(match[0]) };
  }
}

const meanings = new Map<string, string>();

/** The character of an escape; "" for a separator. */
function meaningOf(piece: string): string {
  if (piece.length > 6) return "";
  const known = meanings.get(piece);
  if (known !== undefined) return known;
  const meaning = readEscape(piece);
  if (meanings.size < 1000) meanings.set(piece, meaning);
  return meaning;
}

function readEscape(piece: string): string {
  const code = piece.charCodeAt(0);
  if (code >= 0xff_01 && code <= 0xff_5e) return String.fromCharCode(code - 0xfe_e0);
  if (code >= 0x04_00) return latinLetters[lookalikes.indexOf(piece)] ?? "";
  const hex = /^(?:\\u00|\\x|%|&#x)([0-9a-fA-F]{2})/.exec(piece)?.[1];
  if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
  const decimal = /^&#(\d{2,3});/.exec(piece)?.[1];
  return decimal ? String.fromCharCode(Number(decimal)) : "";
}
