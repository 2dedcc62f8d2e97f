// A whole screen: each frame is compared with the previous one, and the pieces that differ are written in one write.
import type { TerminalSize } from "../../../core/contract/index.ts";
import { fitLine, type Line } from "../text/line.ts";
import type { Paint } from "../text/paint.ts";
import { textWidth } from "../text/width.ts";

type Painted = ReturnType<Paint>;

/** The terminal shows the frame when it is complete. */
export const inOneFrame = (bytes: string): string => `\u001b[?2026h${bytes}\u001b[?2026l`;

const widthOf = (row: Painted): number => row.reduce((sum, { text }) => sum + textWidth(text), 0);

/** The pieces from the first that differs to the last one, and the column where they begin. */
function changed(before: Painted, after: Painted): { column: number; bytes: string } | undefined {
  const same = (a: number, b: number) => before[a]?.painted === after[b]?.painted;
  let first = 0;
  while (first < after.length && same(first, first)) first += 1;
  if (first === after.length && before.length === after.length) return undefined;
  const column = widthOf(after.slice(0, first));
  let last = after.length;
  const aligned =
    before.length === after.length &&
    before.every(({ text }, i) => textWidth(text) === textWidth(after[i]?.text ?? ""));
  if (aligned) while (last > first && same(last - 1, last - 1)) last -= 1;
  const bytes = after
    .slice(first, last)
    .map(({ painted }) => painted)
    .join("");
  const shorter = widthOf(after) < widthOf(before);
  return { column, bytes: shorter ? `${bytes}\u001b[K` : bytes };
}

export interface Screen {
  /** Draws the lines from the top; rows without a line are empty. Writes nothing when nothing differs. */
  draw(lines: readonly Line[], size: TerminalSize): void;
  /** The next frame is drawn completely. */
  forget(): void;
}

const goTo = (row: number, column: number): string => `\u001b[${row + 1};${column + 1}H`;

/** The first frame must be quick, so nothing is measured. */
const wholeFrame = (rows: readonly Painted[]): string =>
  rows.reduce((bytes, row, at) => {
    const drawn = row.map(({ painted }) => painted).join("");
    return drawn === "" ? bytes : bytes + goTo(at, 0) + drawn;
  }, "\u001b[H\u001b[2J");

const difference = (before: readonly Painted[], rows: readonly Painted[]): string =>
  rows
    .map((row, at) => {
      const found = changed(before[at] ?? [], row);
      return found && found.bytes !== "" ? goTo(at, found.column) + found.bytes : "";
    })
    .join("");

export function createScreen(write: (bytes: string) => void, paint: Paint): Screen {
  let shown: readonly Painted[] | undefined;
  let last = "";
  return {
    draw(lines, size) {
      const mark = `${size.columns}x${size.rows}`;
      if (mark !== last) shown = undefined;
      last = mark;
      const rows = Array.from({ length: size.rows }, (_, at) => paint(fitLine(lines[at] ?? [], size.columns)));
      const bytes = shown === undefined ? wholeFrame(rows) : difference(shown, rows);
      shown = rows;
      if (bytes !== "") write(inOneFrame(bytes));
    },
    forget() {
      shown = undefined;
    },
  };
}
