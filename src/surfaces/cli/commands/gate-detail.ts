// The change a gate asks about, laid open under it: nobody approves a hash they cannot read.
import { plainText, type Gate } from "../../../contract/index.ts";
import type { RunDesk } from "../../../operations/index.ts";
import type { Style } from "../style.ts";

const mostBytes = 64_000;

export const gateDetail =
  (desk: RunDesk, runId: string, style: Style) =>
  (gate: Gate): string => {
    const diff = gate.subject.refs.find(({ kind }) => kind === "diff");
    if (!diff) return "";
    const { bytes, total } = desk.artifact(runId, diff.ref, { max: mostBytes });
    const lines = plainText(new TextDecoder().decode(bytes)).trimEnd().split("\n");
    const more = total > bytes.length ? [`… ${total - bytes.length} more bytes: thehood diff ${runId}`] : [];
    return [...lines.map((line) => paint(line, style)), ...more].join("\n");
  };

function paint(line: string, style: Style): string {
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.cyan(line) : line;
}
