// The words of a changed line that differ from its partner: ranges of characters, for a reader's eye only.

export type MarkRange = readonly [from: number, to: number];

const word = /[\p{L}\p{N}_]+|\s+|./gu;
/** Longer lines, and longer middles of lines, are marked as a whole. */
const longest = 2_000;
const mostWords = 80;

/** The ranges of the words that are not in a longest common sequence. */
function uncommon(older: readonly string[], newer: readonly string[]): [boolean[], boolean[]] {
  const [rows, columns] = [older.length, newer.length];
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        older[row] === newer[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const [gone, come] = [older.map(() => true), newer.map(() => true)];
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (older[row] === newer[column]) {
      gone[row] = false;
      come[column] = false;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return [gone, come];
}

function ranges(words: readonly string[], changed: (index: number) => boolean): MarkRange[] {
  const found: [number, number][] = [];
  let place = 0;
  for (const [index, text] of words.entries()) {
    const last = found.at(-1);
    if (changed(index)) {
      if (last && last[1] === place) last[1] += text.length;
      else found.push([place, place + text.length]);
    }
    place += text.length;
  }
  return found;
}

/** Undefined when the lines have too little in common: then marks would only be noise. */
export function wordMarks(older: string, newer: string): readonly [MarkRange[], MarkRange[]] | undefined {
  if (older.length > longest || newer.length > longest) return undefined;
  const [before, after] = [older.match(word) ?? [], newer.match(word) ?? []];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [gone, come] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const precise = gone.length <= mostWords && come.length <= mostWords;
  const [old, fresh] = precise ? uncommon(gone, come) : [gone.map(() => true), come.map(() => true)];
  const marks = [
    ranges(before, (index) => old[index - head] === true),
    ranges(after, (index) => fresh[index - head] === true),
  ] as const;
  const marked = marks.flat().reduce((sum, [from, to]) => sum + to - from, 0);
  return marked * 10 > (older.length + newer.length) * 7 ? undefined : marks;
}
