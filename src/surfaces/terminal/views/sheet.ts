// The sheet of a gate: the question, why it is asked, the words and the change it is about; nothing of it is left out.
import { plainText } from "../../../core/contract/index.ts";
import { sheetOf, type GateDetails } from "../../../operations/run-data/index.ts";
import { type Line, line, piece, wrapLine, wrapText } from "../text/line.ts";
import { changeLines } from "./diff.ts";

const heading = (text: string): readonly Line[] => [[], line(piece(text, "bold"))];

/** How much a careless yes can cost, in words. */
const risks = { high: "bad", medium: "ask", low: "dim" } as const;

export function sheetLines(
  gate: GateDetails["gates"][number],
  { commands, failing }: Pick<GateDetails, "commands" | "failing">,
  columns: number,
): readonly Line[] {
  const { title, told, said, changes } = sheetOf(gate);
  const indented = (text: string) => wrapText(text, columns, "plain", "  ");
  return [
    ...wrapLine(
      line(piece(`◆ ${title}`, "ask"), piece(`  ${gate.risk} risk`, risks[gate.risk])),
      columns,
      "  ",
    ),
    [],
    ...told.flatMap(indented),
    ...failing.flatMap(({ command, result, lines }) => [
      ...heading(`What failed: ${command} (${result.replaceAll("_", " ")})`).flatMap((one) =>
        wrapLine(one, columns, "  "),
      ),
      ...lines.flatMap((text) => indented(`  ${text}`)),
    ]),
    ...said.flatMap((text) => [...heading("In their words"), ...indented(plainText(text))]),
    ...(changes.length === 0 ? [] : heading("The change")),
    ...changes.flatMap((change) => changeLines(change, columns)),
    ...(commands.length === 0 ? [] : heading("The commands that judge it")),
    ...commands.flatMap(({ command, source }) =>
      wrapLine(line(`  ${command}`, piece(`  (${source})`, "dim")), columns, "    "),
    ),
  ];
}
