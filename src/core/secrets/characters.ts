// Character classes as tables, runs of characters, and whether a token can start at an index.

type CharacterClass = Uint8Array;

export function characterClass(characters: string): CharacterClass {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
export const alphanumeric = lower + lower.toUpperCase() + digits;

const wordClass = characterClass(alphanumeric);
export const identifierClass = characterClass(`${alphanumeric}_-`);
export const nameClass = characterClass(`${alphanumeric}_-.$`);
export const base64Class = characterClass(`${alphanumeric}+/_-`);
export const hexClass = characterClass(`${digits}abcdefABCDEF`);
export const digitClass = characterClass(digits);

/** Whether the character at `index` belongs to the class; false outside of the text. */
export function isAt(text: string, index: number, table: CharacterClass): boolean {
  const code = text.charCodeAt(index);
  return code < 128 && table[code] === 1;
}

/** The end of the run of the class that starts at `from`, at most `limit` characters away. */
export function runEnd(text: string, from: number, table: CharacterClass, limit: number): number {
  const stop = Math.min(text.length, from + limit);
  let index = from;
  while (index < stop && isAt(text, index, table)) index += 1;
  return index;
}

/** The start of the run of the class that ends before `before`, at most `limit` characters away. */
export function runStart(text: string, before: number, table: CharacterClass, limit: number): number {
  const stop = Math.max(0, before - limit);
  let index = before;
  while (index > stop && isAt(text, index - 1, table)) index -= 1;
  return index;
}

const escapeLetters = characterClass("nrtbfv0");

/**
 * Whether a token can start at `index`: no alphanumeric character precedes it, except the end of an escape: `\n` in a
 * quoted text, `%3D` in a URL, the `m` that ends a colour sequence of a terminal.
 */
export function startsToken(text: string, index: number): boolean {
  if (index === 0 || !isAt(text, index - 1, wordClass)) return true;
  const previous = text[index - 1];
  if (text[index - 2] === "\\" && isAt(text, index - 1, escapeLetters)) return true;
  if (text[index - 3] === "%" && isAt(text, index - 1, hexClass) && isAt(text, index - 2, hexClass)) return true;
  if (text[index - 6] === "\\" && text[index - 5] === "u" && runStart(text, index, hexClass, 4) === index - 4)
    return true;
  if (previous !== "m") return false;
  const parameters = runStart(text, index - 1, characterClassOfColour, 16);
  return text[parameters - 1] === "[" && (text.charCodeAt(parameters - 2) === 27 || text[parameters - 2] === "b");
}

const characterClassOfColour = characterClass(`${digits};`);
