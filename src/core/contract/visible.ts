// Text for a person who decides: a character that the eye does not see is written as its number, never left out (B-5).

/** Controls but tab and line feed, format characters (bidi, tags, zero width), fillers, odd spaces and separators. */
const unseen =
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f]/gu;

const named = (character: string): string =>
  `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`;

/** Quick for text that needs nothing. */
export const visibleText = (text: string): string => text.replaceAll(unseen, named);

/** A name on one line: also line feeds and tabs are written as numbers. */
export const visibleName = (text: string): string => visibleText(text).replaceAll(/[\n\t]/g, named);
