// The lines that two versions of a file share, by Myers' algorithm, with a bound on the time that a hostile file can cost.
import type { LineEdit } from "./write.ts";

/** Lines that differ, added and removed together; beyond it the comparison is given up. */
const mostChanges = 2000;

/** The edits from `old` to `new`, or undefined when they differ too much. */
export function diffLines(old: readonly string[], newer: readonly string[]): LineEdit[] | undefined {
  let start = 0;
  while (start < old.length && start < newer.length && old[start] === newer[start]) start++;
  let [oldEnd, newEnd] = [old.length, newer.length];
  while (oldEnd > start && newEnd > start && old[oldEnd - 1] === newer[newEnd - 1])
    [oldEnd, newEnd] = [oldEnd - 1, newEnd - 1];
  const [rows, columns] = [oldEnd - start, newEnd - start];
  if (rows === 0 || columns === 0)
    return rows + columns === 0 ? [] : [{ from: start, to: oldEnd, lines: newer.slice(start, newEnd) }];
  const trace = walk(old.slice(start, oldEnd), newer.slice(start, newEnd));
  return trace && edits(trace, rows, columns, start, newer);
}

/** For each number of changes the furthest row on each diagonal. */
function walk(old: readonly string[], newer: readonly string[]): Int32Array[] | undefined {
  const most = Math.min(old.length + newer.length, mostChanges);
  const trace: Int32Array[] = [];
  let last = new Int32Array([0, 0, 0]);
  for (let changes = 0; changes <= most; changes++) {
    // Index `diagonal + changes + 1`, with one place more at each side.
    const reach = new Int32Array(2 * changes + 3);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const before = (side: number) => last[diagonal + side + changes] ?? 0;
      const down = diagonal === -changes || (diagonal !== changes && before(-1) < before(1));
      let row = changes === 0 ? 0 : down ? before(1) : before(-1) + 1;
      while (row < old.length && row - diagonal < newer.length && old[row] === newer[row - diagonal]) row++;
      reach[diagonal + changes + 1] = row;
      if (row >= old.length && row - diagonal >= newer.length) return [...trace, reach];
    }
    trace.push(reach);
    last = reach;
  }
  return undefined;
}

function edits(
  trace: readonly Int32Array[],
  rows: number,
  columns: number,
  start: number,
  newer: readonly string[],
): LineEdit[] {
  const found: { from: number; to: number; at: number; until: number }[] = [];
  let [row, column] = [rows, columns];
  for (let changes = trace.length - 1; changes > 0; changes--) {
    const diagonal = row - column;
    const before = (side: number) => trace[changes - 1]?.[diagonal + side + changes] ?? 0;
    const down = diagonal === -changes || (diagonal !== changes && before(-1) < before(1));
    const fromRow = down ? before(1) : before(-1);
    const fromColumn = fromRow - (diagonal + (down ? 1 : -1));
    const edit = down
      ? { from: fromRow, to: fromRow, at: fromColumn, until: fromColumn + 1 }
      : { from: fromRow, to: fromRow + 1, at: fromColumn, until: fromColumn };
    const next = found.at(-1);
    if (next && next.from === edit.to && next.at === edit.until) [next.from, next.at] = [edit.from, edit.at];
    else found.push(edit);
    [row, column] = [fromRow, fromColumn];
  }
  return found.toReversed().map(({ from, to, at, until }) => ({
    from: from + start,
    to: to + start,
    lines: newer.slice(at + start, until + start),
  }));
}
