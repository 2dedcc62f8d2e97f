// The door for a surface that prints lines instead of drawing a screen.
export { ends, fitLine, line, lineWidth, piece, type Line, type Piece } from "../text/line.ts";
export { textOf } from "../text/paint.ts";
export { evidenceLines } from "../views/evidence.ts";
export { gateScreen } from "../views/gate.ts";
export { elapsed, lasting, stageBar } from "../views/text.ts";
export { createStory, type StoryLines } from "../progress/story.ts";
