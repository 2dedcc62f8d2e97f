// The page behind the question mark.
import { type Line, line, piece } from "../text/line.ts";

const rows: readonly (readonly [string, string] | null)[] = [
  ["↑ ↓  j k", "move, or scroll by a line"],
  ["space  b", "scroll by a page; page up and page down do it too; home and end go all the way"],
  ["enter", "open: a run or a session from the list, the gate from a run"],
  ["q  escape", "go back; leaves the program from the list"],
  ["ctrl-c", "leave at once; runs go on"],
  null,
  ["g", "the gate that a run waits at"],
  ["c", "continue a run that nobody works on"],
  ["d  l  p", "the change, the log with everything in it, the report"],
  null,
  ["a", "approve: offered once the end of the sheet was on the screen"],
  ["r", "revise: your editor opens, its text goes back with the work"],
  ["x", "reject, where the gate takes it; the run ends, its work is kept"],
  ["A", "abort, where the gate takes it; the run ends at once, its work is kept"],
  ["t  s  e", "take as it is, send again, extend the budget, where the gate takes it"],
  ["l", "later: leaves the gate as it is"],
  ["o", "open the run in the browser"],
];

export const helpBody: readonly Line[] = [
  line("Agents propose, you decide. Each key does what a command does; the command stands above the keys."),
  [],
  ...rows.map((row) => (row ? line(piece(row[0].padEnd(12), "bold"), row[1]) : [])),
];
