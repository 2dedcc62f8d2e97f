// The sheet of a gate: the question, its reason, the agent's text and the change, all complete.
import { plainText } from "../../../core/contract/index.ts";
import { sheetOf, type GateDetails } from "../../../operations/run-data/index.ts";
import { type Line, line, piece, wrapLine, wrapText } from "../text/line.ts";
import { changeLines } from "./diff.ts";

const heading = (text: string): readonly Line[] => [[], line(piece(text, "bold"))];

const risks = { high: "bad", medium: "ask", low: "dim" } as const;

export function sheetLines(
  gate: GateDetails["gates"][number],
  { commands, failing }: Pick<GateDetails, "commands" | "failing">,
  columns: number,
): readonly Line[] {
  const { title, facts, said: answers, changes } = sheetOf(gate);
  const indented = (text: string) => wrapText(text, columns, "plain", "  ");
  return [
    ...wrapLine(line(piece(`◆ ${title}`, "ask"), piece(`  ${gate.risk} risk`, risks[gate.risk])), columns, "  "),
    [],
    ...facts.flatMap(indented),
    ...failing.flatMap(({ command, result, lines }) => [
      ...heading(`What failed: ${command} (${result.replaceAll("_", " ")})`).flatMap((one) =>
        wrapLine(one, columns, "  "),
      ),
      ...lines.flatMap((text) => indented(`  ${text}`)),
    ]),
    ...answers.flatMap((text) => [...heading("The agent's text"), ...indented(plainText(text))]),
    ...(changes.length === 0 ? [] : heading("The change")),
    ...changes.flatMap((change) => changeLines(change, columns)),
    ...(commands.length === 0 ? [] : heading("The commands that judge it")),
    ...commands.flatMap(({ command, source }) =>
      wrapLine(line(`  ${command}`, piece(`  (${source})`, "dim")), columns, "    "),
    ),
  ];
}
