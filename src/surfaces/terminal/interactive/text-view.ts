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
  /** Further keys: the word for each, and its action. */
  readonly actions?: () => readonly { readonly key: string; readonly word: string; act(): unknown }[];
}

export function createTextView({ deps, title, command, lines, refresh, actions = () => [] }: TextOptions): ScreenView {
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
          note: deps.note().length > 0 ? deps.note() : equals(command),
          keys: [...actions().map(({ key, word }) => [key, word] as const), ["↑↓ space b", "scroll"], ["q", "back"]],
        },
        size,
      );
    },
    key(key, size) {
      const moved = scrolled(top, key, linesFor(size.columns).length, size);
      const action = actions().find((one) => one.key === key);
      if (action) void Promise.resolve(action.act()).finally(() => deps.redraw());
      else if (moved !== undefined) top = moved;
      else if (["q", "escape", "left", "enter"].includes(key)) deps.back();
    },
  };
}
