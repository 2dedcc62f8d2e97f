// The end of a run for a person who saw it happen: what is proven and what is not, what changed, and where to look further.
import { plainLine, type Spell } from "../../../core/contract/index.ts";
import type { RepositoryRuns } from "../../../operations/index.ts";
import { line, piece, textOf, wrapLine, type Line, type Piece } from "../../terminal/print/index.ts";

interface Report {
  readonly goal: string;
  readonly claims: readonly { readonly statement: string; readonly standing: string }[];
  readonly changedPaths: readonly string[];
}

const marks: Readonly<Record<string, Piece>> = {
  proven: piece("✔ proven: ", "good"),
  judged: piece("· judged: ", "dim"),
  unproven: piece("✘ unproven: ", "bad"),
};

const claimLine = ({ statement, standing }: Report["claims"][number]): Line =>
  line(marks[standing] ?? `${standing}: `, plainLine(statement));

export interface EndedRun {
  readonly runId: string;
  readonly columns: number;
  readonly color: boolean;
  readonly spell: Spell;
}

/** Empty when no report was written. */
export async function endText(
  runs: RepositoryRuns,
  { runId, columns, color, spell }: EndedRun,
): Promise<string> {
  const written = await runs.report(runId);
  if (!written) return "";
  const { bytes } = await runs.artifact(runId, written.report.ref);
  const report = JSON.parse(new TextDecoder().decode(bytes)) as Report;
  const changed = report.changedPaths.map((path) => plainLine(path)).join(", ");
  const lines = [
    [],
    line(piece(plainLine(report.goal), "bold")),
    ...report.claims.map(claimLine),
    ...(changed === "" ? [] : [line(piece("changed: ", "dim"), changed)]),
    line(piece("the whole report: ", "dim"), piece(spell({ suggest: "report", runId }), "info")),
    ...(changed === ""
      ? []
      : [line(piece("take it out again: ", "dim"), piece(spell({ suggest: "undo", runId }), "info"))]),
  ];
  return `${textOf(
    lines.flatMap((one) => wrapLine(one, columns, "  ")),
    color,
  )}\n`;
}
