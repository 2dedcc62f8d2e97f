// Reads answers of the server: characters that reverse a text, hide in it or move a cursor are replaced by their number in all
// texts at once, before a view can show them (B-5).

const deceiving = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu;

const named = (code: number): string => `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;

/** An escaped control character in JSON. After an even number of backslashes it is plain text. */
const escapedControl = /\\+u00[01][\da-f]/g;

const nameControl = (found: string): string => {
  const slashes = found.lastIndexOf("\\") + 1;
  if (slashes % 2 === 0) return found;
  return found.slice(0, slashes - 1) + named(Number.parseInt(found.slice(-4), 16));
};

export const readAnswer = <T>(json: string): T =>
  JSON.parse(
    json
      .replaceAll(deceiving, (character) => named(character.codePointAt(0) ?? 0))
      .replaceAll(escapedControl, nameControl),
  ) as T;
