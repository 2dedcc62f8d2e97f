// The start of a run on one small screen: whose words it began with, what must be true at the end, who works, who verifies, what
// is sent, what it costs.
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
  const { unit, low, high, last, runs, estimated } = usual;
  const amount = (one: number) => (unit === "usd" ? dollars(one) : one.toLocaleString("en-US"));
  const range = `${low === high ? amount(low) : `${amount(low)}–${amount(high)}`}${unit === "usd" ? "" : " tokens"}`;
  const past = runs === 1 ? "last run here" : `last ${runs} runs here; the last one: ${amount(last)}`;
  return line(`usually ${estimated ? "about " : ""}${range}`, piece(` (${past})`, "dim"), `, ${limit}`);
}

/** The rows of the start; the goal stands in the title. */
export function startLines(start: StartSummary, usual: GateDetails["usual"], columns: number): readonly Line[] {
  const { works, verifies, sends, plan, warnings, from, criteria } = start;
  return [
    ...warnings.flatMap((text) => wrapLine(line(piece("⚠ ", "ask"), text), columns, "  ")),
    ...from.flatMap((text, at) => row(at === 0 ? "from" : "", line(text), columns)),
    ...criteria.flatMap((text, at) => row(at === 0 ? "done when" : "", line(text), columns)),
    ...row("works", line(piece(works.agent, "bold"), piece(`  ${works.where}`, "dim")), columns),
    ...row("verifies", verifies === null ? line(piece("no agent", "ask")) : line(piece(verifies, "bold")), columns),
    ...row("checks", checksLine(start), columns),
    ...row("sends", line(sends), columns),
    ...row("costs", costLine(start, usual), columns),
    ...(plan === null ? [] : row("plan", line(`“${plan}”`), columns)),
  ];
}

export const crewLines = ({ crew }: Pick<StartSummary, "crew">): readonly Line[] =>
  crew.map(({ role, agent }) => line(piece(`  ${role.padEnd(14)}`, "dim"), agent));
