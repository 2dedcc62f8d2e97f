// Does a value look drawn at random, or written by a person? Measured by its alphabet, its entropy, how often it changes
// between kinds of characters, and how usual its letter pairs are in words.

/** For each letter, how usual each letter is after it in the words of programs and prose: 0 never, 9 very often. */
const usual = [
  "37871361704979070989653151 61216000510700500441600020 80528008607620920748600030 61149320800411620450510010",
  "84996652322879364998264740 50116500800400600422400030 50007034500314310641400010 70008000600120600414300010",
  "65877670002779960689060306 20003000000000200040203000 20017000500101010050000000 81259210901810820065520070",
  "84219000700241670040400000 81888590714325630399440030 45662440414779670966766220 80128004600710760857500010",
  "00000000000000000000500000 93659340905465930687541060 60739306803433770189702140 80529107900521830886602060",
  "55545240500758060777000000 60008000600000300000000000 50005003400104500331000000 20303000300000040005000000",
  "21002000300233250031001000 30005000200000100000000000",
].flatMap((line) => line.split(" ").map((row) => [...row].map(Number)));

export interface Shape {
  readonly lower: number;
  readonly upper: number;
  readonly digits: number;
  readonly symbols: number;
  readonly distinct: number;
  /** Bits a character. */
  readonly entropy: number;
  /** How usual the letter pairs are: words about 7, random letters about 2.5; -1 without any. */
  readonly wordiness: number;
  /** The share of neighbours that change to a capital, to a digit or from one: words under 0.25, random about 0.45. */
  readonly changes: number;
}

type Kind = "lower" | "upper" | "digits" | "symbols";

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return "lower";
  if (code >= 65 && code <= 90) return "upper";
  return code >= 48 && code <= 57 ? "digits" : "symbols";
}

export function shapeOf(value: string): Shape {
  const counts = new Map<number, number>();
  const kinds = { lower: 0, upper: 0, digits: 0, symbols: 0 };
  let changed = 0;
  let pairs = 0;
  let usualness = 0;
  let before: Kind = "symbols";
  let letterBefore = -1;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    const kind = kindOf(code);
    counts.set(code, (counts.get(code) ?? 0) + 1);
    kinds[kind] += 1;
    if (index > 0 && isChange(before, kind)) changed += 1;
    const letter = kind === "lower" ? code - 97 : kind === "upper" ? code - 65 : -1;
    if (letter >= 0 && letterBefore >= 0) {
      pairs += 1;
      usualness += usual[letterBefore]?.[letter] ?? 0;
    }
    before = kind;
    letterBefore = letter;
  }
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / value.length) * Math.log2(count / value.length);
  return {
    ...kinds,
    distinct: counts.size,
    entropy,
    wordiness: pairs === 0 ? -1 : usualness / pairs,
    changes: value.length < 2 ? 0 : changed / (value.length - 1),
  };
}

const isChange = (before: Kind, after: Kind): boolean =>
  before !== after &&
  before !== "symbols" &&
  after !== "symbols" &&
  !(before === "upper" && after === "lower");

/** Whether a value of at least `least` characters looks drawn at random. */
export function looksRandom(value: string, least = 16): boolean {
  if (value.length < least) return false;
  const shape = shapeOf(value);
  if (shape.distinct < Math.min(8, value.length / 2) || shape.entropy < 2.8) return false;
  const letters = shape.lower + shape.upper;
  if (/^[0-9a-f]+$/i.test(value)) return shape.digits >= 3 && letters >= 2;
  if (letters < 3) return false;
  const mixed = shape.digits >= 1 || (shape.lower >= 2 && shape.upper >= 2);
  if (!mixed) return value.length >= 16 && shape.wordiness < 4;
  return shape.wordiness < 5.5 || (shape.digits >= 2 && shape.changes >= 0.34);
}
