// The sheet of a gate: the question, its reason, the agent's text and the change, all complete.
import { plainText } from "../../../core/contract/index.ts";
import { sheetOf, type GateDetails } from "../../../operations/run-data/index.ts";
import { type Line, line, piece, wrapLine, wrapText } from "../text/line.ts";
import { changeLines } from "./diff.ts";

const heading = (text: string): readonly Line[] => [[], line(piece(text, "bold"))];

const risks = { high: "bad", medium: "ask", low: "dim" } as const;

export function sheetLines(
  gate: GateDetails["gates"][number],
  { runId, commands, failing }: Pick<GateDetails, "runId" | "commands" | "failing">,
  columns: number,
): readonly Line[] {
  const { title, facts, said: answers, quoted, manifests, messages, changes } = sheetOf(gate);
  const indented = (text: string) => wrapText(text, columns, "plain", "  ");
  // No line of it can be taken for one of ours.
  const marked = (text: string) => wrapText(text, columns, "plain", "  │ ");
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
    ...manifests.flatMap((text) => [...heading("The manifest"), ...indented(text)]),
    ...messages.flatMap((ref) =>
      indented(`The whole message, as it is sent: thehood show ${runId} --artifact ${ref.slice(7, 19)}`),
    ),
    ...answers.flatMap((text) => [...heading("The agent's text"), ...indented(plainText(text))]),
    ...quoted.flatMap(({ name, text }) => [...heading(`Text of others: ${name}`), ...marked(plainText(text))]),
    ...(changes.length === 0 ? [] : heading("The change")),
    ...changes.flatMap((change) => changeLines(change, columns)),
    ...(commands.length === 0 ? [] : heading("Checks")),
    ...commands.flatMap(({ command, source }) =>
      wrapLine(line(`  ${command}`, piece(`  (${source})`, "dim")), columns, "    "),
    ),
  ];
}
