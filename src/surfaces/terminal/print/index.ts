// The door for a surface that prints lines instead of drawing a screen.
export { line, piece, wrapLine, type Line, type Piece } from "../text/line.ts";
export { textOf } from "../text/paint.ts";
export { sheetLines } from "../views/sheet.ts";
export { elapsed, lasting, stageBar } from "../views/text.ts";
export { createStory, type StoryLines } from "../progress/story.ts";
