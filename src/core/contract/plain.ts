// Untrusted text for display: text of a model or a repository cannot control the terminal or contain invisible characters
// (A1). Also the format of dollar amounts.
/** Control, format (bidi, tags, zero width) and invisible separator characters, and characters that renderers skip. They are
 * listed, because a Unicode property class costs some milliseconds at every start. */
const unseen =
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f]/gu;

/** Whole terminal sequences, so that their parameters are removed too. */
const sequences =
  /(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u001b\u009c]*(?:\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Most texts need no change, and then the long expressions are not even compiled. */
const isPrintable = (text: string): boolean => /^[\t\n -~]*$/.test(text);

/** The text without characters that are unsafe to show on a terminal, a page or an approval card. */
export function plainText(text: string): string {
  if (isPrintable(text)) return text;
  return text.toWellFormed().replaceAll("\r\n", "\n").replaceAll(sequences, "").replaceAll(unseen, "");
}

/** One line of at most `max` characters. */
export function plainLine(text: string, max = 500): string {
  return clip(plainText(text).replaceAll(/\s+/g, " ").trim(), max);
}

/** Truncates at a character, never inside a surrogate pair, and marks it with an ellipsis. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text
    .slice(0, Math.max(0, max - 1))
    .toWellFormed()
    .replace(/\uFFFD$/, "")}…`;
}

/** Controls but tab and line feed, format characters (bidi, tags, zero width), fillers, odd spaces and separators. */
const invisible =
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f]/gu;

const named = (character: string): string =>
  `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`;

/** The text with each invisible character shown as its code point. */
export const visibleText = (text: string): string => text.replaceAll(invisible, named);

/** A name on one line: line feeds and tabs are shown as code points too. */
export const visibleName = (text: string): string => visibleText(text).replaceAll(/[\n\t]/g, named);

/** Four digits below $0.10, else two. */
export const dollars = (usd: number): string => (usd === 0 ? "$0" : `$${usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`);
