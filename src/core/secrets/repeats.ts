// A value that a rule found is also a secret where it occurs again nearby without its name: in a log, a comment, a command.
import { isEverydayWord } from "./placeholder.ts";
import type { FoundSecret } from "./rule.ts";

/** How far from the finding; less than the margin of a block, so that a stream gives the same result. */
const near = 2000;
const mostValues = 64;
const mostEach = 4096;

/** Long and mixed enough that the same text is no chance, e.g. no word of the language. */
const isTelling = (value: string) =>
  value.length >= 8 &&
  value.length <= 200 &&
  /^[!-~]+$/.test(value) &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !/^[\w.-]*\/|^\d+$/.test(value) &&
  !isEverydayWord(value);

const isWordCharacter = (character: string | undefined) => character !== undefined && /[A-Za-z0-9_]/.test(character);

export function findRepeats(text: string, found: readonly FoundSecret[]): FoundSecret[] {
  const values = new Map<string, FoundSecret[]>();
  for (const one of found) {
    const value = text.slice(one.start, Math.min(one.end, one.start + 256));
    const known = values.get(value);
    if (known) known.push(one);
    else if (values.size < mostValues && isTelling(value)) values.set(value, [one]);
  }
  return [...values].flatMap(([value, seeds]) => repeatsOf(text, value, seeds));
}

/** `seeds` are sorted. */
function repeatsOf(text: string, value: string, seeds: readonly FoundSecret[]): FoundSecret[] {
  const repeats: FoundSecret[] = [];
  let next = 0;
  let at = text.indexOf(value);
  for (let count = 0; at >= 0 && count < mostEach; count += 1) {
    const after = at + value.length;
    while (next < seeds.length - 1 && (seeds[next]?.start ?? 0) + near < at) next += 1;
    const seed = seeds[next];
    const isNear = seed !== undefined && seed.start !== at && Math.abs(seed.start - at) <= near;
    if (isNear && !isWordCharacter(text[at - 1]) && !isWordCharacter(text[after]))
      repeats.push({ label: seed.label, rank: seed.rank, start: at, end: after });
    at = text.indexOf(value, after);
  }
  return repeats;
}
