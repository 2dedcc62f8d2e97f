// The width of a plain text in columns. Plain text has no joiners and variation selectors, so each character counts alone.

/** East Asian wide and fullwidth characters. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

/** Whether each character is one column wide: ASCII and the plain signs below, as in nearly every text of a screen. */
const isNarrow = (text: string): boolean =>
  /^[ -~\u2010-\u2027\u2190-\u2319\u2500-\u25fc\u270c-\u2727\u2758-\u2794]*$/.test(text);

/** Flags are two letters of one column each. */
const isFlagLetter = (code: number): boolean => code >= 0x1f1e6 && code <= 0x1f1ff;

/** Dashes, arrows, lines, shapes and ticks: the first frame needs these only, without Unicode's tables. */
export const plainSigns: readonly (readonly [number, number])[] = [
  [0x2010, 0x2027],
  [0x2190, 0x2319],
  [0x2500, 0x25fc],
  [0x270c, 0x2727],
  [0x2758, 0x2794],
];

const isIn = (ranges: readonly (readonly [number, number])[], code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to);

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  // A control character is shown as a dot.
  if (code < 0x300 || isIn(plainSigns, code)) return 1;
  if (/^[\p{M}\p{Cf}\u1160-\u11ff]/u.test(character)) return 0;
  if (isIn(wide, code)) return 2;
  return /^\p{Emoji_Presentation}/u.test(character) && !isFlagLetter(code) ? 2 : 1;
}

export function textWidth(text: string): number {
  if (isNarrow(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += characterWidth(character);
  return columns;
}

/** The beginning of a text that fits, and the rest. */
export function splitAt(text: string, columns: number): readonly [string, string] {
  if (isNarrow(text)) return [text.slice(0, columns), text.slice(columns)];
  let [at, used] = [0, 0];
  for (const character of text) {
    used += characterWidth(character);
    if (used > columns) break;
    at += character.length;
  }
  return [text.slice(0, at), text.slice(at)];
}

/** A text that fits, with a mark where it was cut. */
export function fitText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  return columns < 1 ? "" : `${splitAt(text, columns - 1)[0]}…`;
}
