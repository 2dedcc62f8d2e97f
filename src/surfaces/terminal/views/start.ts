// The start of a run on one small screen: who works, who verifies, what is sent, what it costs.
import { dollars } from "../../../core/contract/index.ts";
import type { StartSummary } from "../../../core/machine/view/index.ts";
import type { GateDetails } from "../../../operations/run-data/index.ts";
import { type Line, line, piece, wrapLine } from "../text/line.ts";
import { elapsed } from "./text.ts";

const marks = { pass: "✔", fail: "✘", unknown: "?" } as const;
const markTones = { pass: "good", fail: "bad", unknown: "ask" } as const;

const label = 10;

const row = (name: string, content: Line, columns: number): readonly Line[] =>
  wrapLine(line(piece(`  ${name.padEnd(label)}`, "dim"), ...content), columns, " ".repeat(label + 2));

/** How the checks stand before any work. */
function checksLine({ checks }: StartSummary): Line {
  if (checks.length === 0) return line(piece("none is known: only the review speaks for the work", "ask"));
  const known = checks.filter(({ ms }) => ms !== null);
  const took = known.reduce((sum, { ms }) => sum + (ms ?? 0), 0);
  const green = checks.every(({ cell }) => cell.mark === "pass");
  const end = green ? `  (green now, ${elapsed(took)})` : "";
  return line(
    ...checks.flatMap(({ command, cell: { mark, note } }, at) => [
      `${at > 0 ? "  " : ""}${command} `,
      piece(marks[mark], markTones[mark]),
      piece(mark === "fail" ? " fails already" : note === null ? "" : ` ${note}`, "dim"),
    ]),
    piece(end, "dim"),
  );
}

function costLine({ limit }: StartSummary, usual: GateDetails["usual"]): Line {
  if (usual === null) return line(limit);
  const { low, high, last, runs } = usual;
  const range = low === high ? dollars(low) : `${dollars(low)}–${dollars(high)}`;
  const past = runs === 1 ? "last run here" : `last ${runs} runs here; the last one: ${dollars(last)}`;
  return line(`usually ${range}`, piece(` (${past})`, "dim"), `, ${limit}`);
}

/** The rows of the start; the goal stands in the title. */
export function startLines(start: StartSummary, usual: GateDetails["usual"], columns: number): readonly Line[] {
  const { works, verifies, sends, plan, warnings } = start;
  return [
    ...warnings.flatMap((text) => wrapLine(line(piece("⚠ ", "ask"), text), columns, "  ")),
    ...row("works", line(piece(works.agent, "bold"), piece(`  ${works.where}`, "dim")), columns),
    ...row("verifies", verifies === null ? line(piece("no agent", "ask")) : line(piece(verifies, "bold")), columns),
    ...row("checks", checksLine(start), columns),
    ...row("sends", line(sends), columns),
    ...row("costs", costLine(start, usual), columns),
    ...(plan === null ? [] : row("plan", line(`“${plan}”`), columns)),
  ];
}

export const crewLines = ({ crew }: StartSummary): readonly Line[] =>
  crew.map(({ role, agent }) => line(piece(`  ${role.padEnd(14)}`, "dim"), agent));
