// The screen of a gate: a result, a start, or the whole text of any other question.
import { plainText } from "../../../core/contract/index.ts";
import { sheetOf, type GateDetails } from "../../../operations/run-data/index.ts";
import { type Line, line, wrapLine, wrapText } from "../text/line.ts";
import { resultScreen, type GateScreen } from "./result.ts";
import { sheetLines } from "./sheet.ts";
import { startLines } from "./start.ts";

export type { GateScreen } from "./result.ts";

const allOf = (lines: GateScreen["lines"]): GateScreen => ({ lines, mustSee: lines.length });

/** Rows of a screen on which a start is read without its whole plan. */
const smallRoom = 24;

/** The whole plan, as the agent wrote it. */
export const planLines = (gate: Parameters<typeof sheetOf>[0], columns: number): readonly Line[] =>
  sheetOf(gate).said.flatMap((text) => [[], ...wrapText(plainText(text), columns, "plain", "  ")]);

export function gateScreen(
  gate: GateDetails["gates"][number],
  open: GateDetails,
  columns: number,
  room: number,
): GateScreen {
  const { result = null, start = null } = gate.summary ?? {};
  if (result) {
    const table = open.attempts.flatMap((text) => wrapLine(line(text), columns, "     "));
    const { lines, mustSee } = resultScreen(gate, open, columns, room - table.length);
    return { lines: [...table, ...lines], mustSee: mustSee + table.length };
  }
  if (!start) return allOf(sheetLines(gate, open, columns));
  const rows = startLines(start, open.usual, columns);
  const whole = [...rows, ...planLines(gate, columns)];
  // On a small screen the whole plan is one key away.
  return allOf(room > smallRoom && whole.length <= room ? whole : rows);
}
