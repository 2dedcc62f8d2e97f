// Characters that make a line look like another line than the shell reads. Such a line is not judged, it is asked about.
import type { Span } from "../../contract/index.ts";

interface Blemish {
  readonly span: Span;
  readonly why: string;
}

/** Never wanted, quoted or not: control, direction, invisible, private and unassigned characters, lone surrogates. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u{ad}\u{115f}\u{1160}\u{3164}\u{ffa0}\u{180e}]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|[\u2028-\u202e\ufff0-\uffff]|\p{Cf}|\p{Co}|\p{Cs}|\p{Cn}/u;

/** Characters besides ASCII that may stand outside quotes: letters, marks and digits of any script, and pictures. */
const plain = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\ufe0f]/u;

/** A joiner between two pictures makes one picture of them. */
const joinedPictures =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})/gu;

export function findHidden(text: string): Blemish | undefined {
  const match = hidden.exec(text.includes("\u200d") ? text.replaceAll(joinedPictures, "-") : text);
  if (!match) return undefined;
  const point = match[0].codePointAt(0) ?? 0;
  const name = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  return {
    span: { start: match.index, end: match.index + match[0].length },
    why: `A hidden or control character (${name}) makes the line read differently than it looks`,
  };
}

/** Spaces and punctuation of other scripts look like the shell's own and are not: `ls` and a no-break space is one word. */
export const isLookalike = (char: string) => (char.codePointAt(0) ?? 0) > 127 && !plain.test(char);
