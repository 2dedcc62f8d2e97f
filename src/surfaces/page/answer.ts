// Answers of the server as the page reads them: characters that turn the order of a text around, hide in it or move a
// cursor are written as their number, in every text at once, before any view can show them (B-5).

const deceiving =
  /[\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu;

const named = (code: number): string => `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;

/** A control character as JSON writes it. Behind an even number of backslashes it is a text that only looks like one. */
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
