// The view of a long text: a report, a diff, a log.
import type { Line } from "../text/line.ts";
import { line, piece } from "../text/line.ts";
import { lowest, pageLines, scrolled, whereText } from "../views/page.ts";
import { type ViewDeps, equals, type ScreenView } from "./view.ts";

export interface TextOptions {
  readonly deps: ViewDeps;
  readonly title: string;
  /** The command that shows the same. */
  readonly command: string;
  readonly lines: (columns: number) => readonly Line[];
  /** Reads the text again; true if it has changed. */
  refresh?(): Promise<boolean>;
}

export function createTextView({ deps, title, command, lines, refresh }: TextOptions): ScreenView {
  let top = 0;
  let drawn: { columns: number; lines: readonly Line[] } | undefined;
  const linesFor = (columns: number) => {
    if (drawn?.columns !== columns) drawn = { columns, lines: lines(columns) };
    return drawn.lines;
  };
  return {
    async refresh() {
      const changed = (await refresh?.()) ?? false;
      if (changed) drawn = undefined;
      return changed;
    },
    frame(size) {
      const body = linesFor(size.columns);
      top = Math.min(top, lowest(body.length, size));
      return pageLines(
        {
          title: line(piece(title, "bold")),
          aside: line(piece(whereText(top, body.length, size), "dim")),
          body,
          top,
          note: equals(command),
          keys: [
            ["↑↓ space b", "scroll"],
            ["q", "back"],
          ],
        },
        size,
      );
    },
    key(key, size) {
      const moved = scrolled(top, key, linesFor(size.columns).length, size);
      if (moved !== undefined) top = moved;
      else if (["q", "escape", "left", "enter"].includes(key)) deps.back();
    },
  };
}
