// The nearest known name to a mistyped one, for "did you mean".

/** Letters that are changed, added, left out or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

export function nearest(name: string, known: readonly string[]): string | undefined {
  const short = name.slice(0, 40);
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(short, candidate) }))
    .sort((a, b) => a.far - b.far)[0];
  return ranked && ranked.far <= Math.max(1, Math.floor(short.length / 3)) ? ranked.candidate : undefined;
}
