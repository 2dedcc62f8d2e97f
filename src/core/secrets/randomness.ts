// Whether a value looks random or written by a person. Measured by its characters, its entropy, how often the kind of
// character changes, and how common its letter pairs are in words.

/** For each letter, how common each next letter is in words of programs and prose: 0 never, 9 very often. */
const rows = [
  "37871361704979070989653151 61216000510700500441600020 80528008607620920748600030 61149320800411620450510010",
  "84996652322879364998264740 50116500800400600422400030 50007034500314310641400010 70008000600120600414300010",
  "65877670002779960689060306 20003000000000200040203000 20017000500101010050000000 81259210901810820065520070",
  "84219000700241670040400000 81888590714325630399440030 45662440414779670966766220 80128004600710760857500010",
  "00000000000000000000500000 93659340905465930687541060 60739306803433770189702140 80529107900521830886602060",
  "55545240500758060777000000 60008000600000300000000000 50005003400104500331000000 20303000300000040005000000",
  "21002000300233250031001000 30005000200000100000000000",
].join("");
const usual = Uint8Array.from(rows.replaceAll(" ", ""), Number);

export interface Shape {
  readonly lower: number;
  readonly upper: number;
  readonly digits: number;
  readonly symbols: number;
  readonly distinct: number;
  /** Bits per character. */
  readonly entropy: number;
  /** How common the letter pairs are: words about 7, random letters about 2.5; -1 without a pair. */
  readonly wordiness: number;
  /** The share of neighbours that change to a capital, to a digit or from one: words under 0.25, random about 0.45. */
  readonly changes: number;
}

/** A longer value is judged by its start, which bounds the work for a hostile line. */
export const sampleLength = 160;

const symbol = 0;
const lowercase = 1;
const uppercase = 2;
const digit = 3;
const kinds = new Uint8Array(256);
kinds.fill(lowercase, 97, 123);
kinds.fill(uppercase, 65, 91);
kinds.fill(digit, 48, 58);

const counts = new Uint16Array(256);
const numbers = new Uint16Array(4);

/** The shape of a value's first characters. Characters beyond Latin count as one. */
export function letterShape(value: string): Shape {
  const length = Math.min(value.length, sampleLength);
  counts.fill(0);
  numbers.fill(0);
  let changed = 0;
  let pairs = 0;
  let usualness = 0;
  let before = symbol;
  let letterBefore = -1;
  for (let index = 0; index < length; index += 1) {
    const code = Math.min(255, value.charCodeAt(index));
    const kind = kinds[code] as number;
    (counts[code] as number) += 1;
    (numbers[kind] as number) += 1;
    // A capital before a small letter does not count as a change: words start so.
    if (kind !== before && kind !== symbol && before !== symbol && !(before === uppercase && kind === lowercase))
      changed += 1;
    const letter = kind === lowercase ? code - 97 : kind === uppercase ? code - 65 : -1;
    if (letter >= 0 && letterBefore >= 0) {
      pairs += 1;
      usualness += usual[letterBefore * 26 + letter] as number;
    }
    before = kind;
    letterBefore = letter;
  }
  return {
    symbols: numbers[symbol] ?? 0,
    lower: numbers[lowercase] ?? 0,
    upper: numbers[uppercase] ?? 0,
    digits: numbers[digit] ?? 0,
    ...spread(length),
    wordiness: pairs === 0 ? -1 : usualness / pairs,
    changes: length < 2 ? 0 : changed / (length - 1),
  };
}

function spread(length: number): { distinct: number; entropy: number } {
  let distinct = 0;
  let entropy = 0;
  for (let code = 0; code < 256; code += 1) {
    const count = counts[code] as number;
    if (count === 0) continue;
    distinct += 1;
    entropy -= (count / length) * Math.log2(count / length);
  }
  return { distinct, entropy };
}

/** Whether a value of at least `least` characters looks random. */
export function isLikelyRandom(
  value: string,
  least = 16,
  shape = value.length < least ? undefined : letterShape(value),
): boolean {
  if (value.length < least || !shape) return false;
  if (shape.distinct < Math.min(8, value.length / 2) || shape.entropy < 2.8) return false;
  const letters = shape.lower + shape.upper;
  if (letters < 2) return false;
  if (shape.digits >= 3 && isHex.test(value.slice(0, sampleLength))) return true;
  if (letters < 3) return false;
  const mixed = shape.digits >= 1 || (shape.lower >= 2 && shape.upper >= 2);
  if (!mixed) return value.length >= 16 && shape.wordiness < 4;
  return shape.wordiness < 5.5 || (shape.digits >= 2 && shape.changes >= 0.34);
}

const isHex = /^[0-9a-f]+$/i;
