// A few rows that change at the end of the main screen, below lines that stay in the scroll buffer.
import type { TerminalSize } from "../../../core/contract/index.ts";
import { fitLine, type Line, lineWidth } from "../text/line.ts";
import type { Paint } from "../text/paint.ts";
import { inOneFrame } from "./screen.ts";

export interface Block {
  /** Shows these rows in place of the ones before. Writes nothing when nothing differs. */
  draw(lines: readonly Line[], size: TerminalSize): void;
  /** Lines that stay, above the rows. */
  print(lines: readonly Line[], size: TerminalSize): void;
  /** The width has changed: the terminal may have wrapped the rows. */
  resized(size: TerminalSize): void;
  clear(): void;
}

const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A\r` : "\r");

/** The cursor is at the beginning of the row below the block, so a program that dies leaves a clean line. */
export function createBlock(write: (bytes: string) => void, paint: Paint): Block {
  let shown: { readonly lines: readonly Line[]; readonly painted: readonly string[] } = {
    lines: [],
    painted: [],
  };
  /** Rows above the cursor that belong to the block. */
  let tall = 0;
  const painted = (lines: readonly Line[]) =>
    lines.map((one) =>
      paint(one)
        .map((part) => part.painted)
        .join(""),
    );
  const fitted = (lines: readonly Line[], { columns }: TerminalSize) =>
    lines.map((one) => fitLine(one, Math.max(10, columns - 1)));
  const whole = (rows: readonly string[]) => rows.map((row) => `${row}\u001b[K\r\n`).join("");
  return {
    draw(lines, size) {
      const fresh = fitted(lines, size);
      const rows = painted(fresh);
      const same = rows.length === shown.painted.length && tall === rows.length;
      if (same && rows.every((row, at) => row === shown.painted[at])) return;
      // Rows that did not change are stepped over.
      const body = same
        ? rows.map((row, at) => (row === shown.painted[at] ? "\u001b[B" : `${row}\u001b[K\r\n`)).join("")
        : `${whole(rows)}\u001b[J`;
      write(inOneFrame(`${up(tall)}${body}`));
      shown = { lines: fresh, painted: rows };
      tall = rows.length;
    },
    print(lines, size) {
      const above = whole(painted(fitted(lines, size)));
      write(inOneFrame(`${up(tall)}${above}${whole(shown.painted)}\u001b[J`));
      tall = shown.painted.length;
    },
    resized({ columns }) {
      tall = shown.lines.reduce((sum, one) => sum + Math.max(1, Math.ceil(lineWidth(one) / columns)), 0);
      write(`${up(tall)}\u001b[J`);
      tall = 0;
      shown = { lines: [], painted: [] };
    },
    clear() {
      if (tall > 0) write(`${up(tall)}\u001b[J`);
      tall = 0;
      shown = { lines: [], painted: [] };
    },
  };
}
