// Everything that an answer at a gate covers: the sheet, and the exact text with the hashes that the answer is bound to.
import type { GateDetails } from "../../../operations/run-data/index.ts";
import { type Line, line, piece, wrapText } from "../text/line.ts";
import { sheetLines } from "./sheet.ts";

export function evidenceLines(
  gate: GateDetails["gates"][number],
  open: Pick<GateDetails, "runId" | "commands" | "failing">,
  columns: number,
): readonly Line[] {
  return [
    ...sheetLines(gate, open, columns),
    [],
    line(piece("For programs: the text that an answer is bound to", "bold")),
    ...wrapText(`sha256 ${gate.sha256}`, columns, "dim", "  "),
    ...(gate.phrase === null ? [] : wrapText(`its message must contain: ${gate.phrase}`, columns, "dim", "  ")),
    ...gate.parts.flatMap(({ ref, summary }) => wrapText(`${ref}  ${summary}`, columns, "dim", "  ")),
    [],
    ...wrapText(gate.text, columns, "dim", "  "),
  ];
}
