// The door for a surface that prints lines instead of drawing a screen.
import type { Line } from "../text/line.ts";
import { createPaint, harmless } from "../text/paint.ts";

export { line, piece, wrapLine, type Line, type Piece } from "../text/line.ts";
export { elapsed, lasting } from "../text/time.ts";
export { sheetLines } from "../views/sheet.ts";
export { stageBar } from "../views/text.ts";
export { createStory, type StoryLines } from "../progress/story.ts";

/** Lines as a text for a terminal or a pipe. */
export function textOf(lines: readonly Line[], color: boolean): string {
  const paint = createPaint(color);
  const painted = (one: Line) =>
    color
      ? paint(one)
          .map((part) => part.painted)
          .join("")
      : one.map(({ text }) => harmless(text)).join("");
  return lines.map((one) => painted(one).trimEnd()).join("\n");
}
