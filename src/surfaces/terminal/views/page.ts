// A page of the screen: a title, a part of a long body, a note, and the keys that work now.
import type { TerminalSize } from "../../../core/contract/index.ts";
import { ends, type Line, line, lineWidth, piece, wrapLine } from "../text/line.ts";

export type Keys = readonly (readonly [key: string, word: string])[];

export interface ScreenPage {
  readonly title: Line;
  /** At the other end of the title. */
  readonly aside?: Line;
  readonly body: readonly Line[];
  /** The first line of the body that is shown. */
  readonly top: number;
  /** The line above the keys. */
  readonly note: Line;
  readonly keys: Keys;
}

/** The rows around the body: title, rule, note and keys. */
const around = 4;

export const roomOf = ({ rows }: TerminalSize): number => Math.max(1, rows - around);

/** The furthest that a body can be scrolled. */
export const lowest = (lines: number, size: TerminalSize): number => Math.max(0, lines - roomOf(size));

const keyLine = (keys: Keys): Line =>
  line(...keys.flatMap(([key, word], at) => [piece(`${at > 0 ? "  " : ""}${key}`, "bold"), piece(` ${word}`, "dim")]));

/** If not all keys fit, the last one stays: it opens the help. */
function keysLine(keys: Keys, columns: number): Line {
  const whole = keyLine(keys);
  if (lineWidth(whole) <= columns || keys.length < 3) return whole;
  return keysLine([...keys.slice(0, -2), ...keys.slice(-1)], columns);
}

export function pageLines(
  { title, aside = [], body, top, note, keys }: ScreenPage,
  size: TerminalSize,
): readonly Line[] {
  // A question that is wider than the screen takes a row of the body.
  const notes = wrapLine(note, size.columns, "  ").slice(0, 3);
  const room = roomOf(size) + 1 - notes.length;
  const shown = body.slice(top, top + room);
  const blank = Array.from({ length: Math.max(0, room - shown.length) }, () => []);
  return [
    ends(title, aside, size.columns),
    line(piece("─".repeat(size.columns), "dim")),
    ...shown,
    ...blank,
    ...notes,
    keysLine(keys, size.columns),
  ];
}

/** The first line of the body after a key; undefined if the key does not scroll. */
export function scrolled(top: number, key: string, lines: number, size: TerminalSize): number | undefined {
  const step = Math.max(1, roomOf(size) - 1);
  const by: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    "page up": -step,
    "ctrl-u": -step,
    b: -step,
    "page down": step,
    " ": step,
    home: -lines,
    end: lines,
    G: lines,
  };
  const move = by[key];
  return move === undefined ? undefined : Math.min(lowest(lines, size), Math.max(0, top + move));
}

/** Which part is on the screen, as text. */
export function whereText(top: number, lines: number, size: TerminalSize): string {
  const last = Math.min(lines, top + roomOf(size));
  return last >= lines && top === 0 ? "all of it" : `lines ${top + 1} to ${last} of ${lines}`;
}
