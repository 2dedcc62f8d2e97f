// Text for people's eyes: what a model or a repository wrote cannot repaint the screen or hide in it (A1).

/** Control, format (bidi, tags, zero width), separators that look like nothing, and whatever renderers skip. */
const unseen = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n]]/gv;

/** Terminal sequences as a whole, so that their parameters do not stay behind as litter. */
const sequences =
  /(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u001b\u009c]*(?:\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** What remains is safe to show on a terminal, a page or an approval card. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll("\r\n", "\n").replaceAll(sequences, "").replaceAll(unseen, "");
}

/** One line of at most `max` characters. */
export function plainLine(text: string, max = 500): string {
  return clip(plainText(text).replaceAll(/\s+/g, " ").trim(), max);
}

/** Cuts at a character, never inside a pair, and says so. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text
    .slice(0, Math.max(0, max - 1))
    .toWellFormed()
    .replace(/\uFFFD$/, "")}…`;
}

/** The short name that surfaces use. */
export const plain = plainText;
