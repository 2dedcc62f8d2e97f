// The view of a gate: its sheet and its answers. An approval is possible after the end of the sheet was on the screen.
import type { GateAnswer, TerminalSize } from "../../../core/contract/index.ts";
import { type Line, line, piece } from "../text/line.ts";
import { type Keys, lowest, pageLines, scrolled, whereText } from "../views/page.ts";
import { sheetLines } from "../views/sheet.ts";
import type { ScreenView } from "./view.ts";
import { answers, type GateOptions, passing } from "./gate-answers.ts";
import { createGateQuestion } from "./gate-question.ts";

const keysOf = (gate: GateOptions["gate"]): Keys => [
  ...gate.answers.map((answer) => [answers[answer].key, answers[answer].word] as const),
  ["l", "later"],
  ["o", "browser"],
  ["space", "scroll"],
  ["?", "help"],
];

const scrollFirst = line(
  piece("Scroll to the end first: ", "ask"),
  "what you approve must have been on the screen. (space, end)",
);

export function createGateView(options: GateOptions): ScreenView {
  const { deps, open, gate, later } = options;
  const { runId } = open;
  const question = createGateQuestion(options);
  let top = 0;
  let seenEnd = false;
  let drawn: { columns: number; lines: readonly Line[] } | undefined;
  const linesFor = (columns: number): readonly Line[] => {
    if (drawn?.columns !== columns) drawn = { columns, lines: sheetLines(gate, open, columns) };
    return drawn.lines;
  };

  function ask(answer: GateAnswer): void {
    if (passing.includes(answer) && !seenEnd) deps.showNote(scrollFirst);
    else question.ask(answer);
  }

  function noteOf(lines: number, size: TerminalSize): Line {
    const note = deps.note();
    if (note.length > 0) return note;
    const where = whereText(top, lines, size);
    return seenEnd ? line(piece(where, "dim")) : line(piece(`${where}; scroll to the end to approve`, "ask"));
  }

  return {
    frame(size) {
      const lines = linesFor(size.columns);
      const limit = lowest(lines.length, size);
      top = Math.min(top, limit);
      seenEnd ||= top >= limit;
      return pageLines(
        {
          title: line(piece("Your decision", "bold"), piece(`  ${runId}`, "dim")),
          aside: line(piece(`sha256 ${gate.sha256.slice(0, 12)}`, "dim")),
          body: lines,
          top,
          note: question.note() ?? noteOf(lines.length, size),
          keys: question.keys() ?? keysOf(gate),
        },
        size,
      );
    },
    key(key, size) {
      if (question.takes(key)) return;
      const moved = scrolled(top, key, linesFor(size.columns).length, size);
      if (moved !== undefined) top = moved;
      else if (["l", "q", "escape"].includes(key)) later();
      else if (key === "o") deps.browse(runId);
      else {
        const found = gate.answers.find((answer) => answers[answer].key === key);
        if (found) ask(found);
      }
    },
  };
}
