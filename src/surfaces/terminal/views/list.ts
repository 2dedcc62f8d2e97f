// The list of runs: those that wait, those that are worked on, those that stopped, those that ended.
import { plainLine } from "../../../contract/index.ts";
import type { Home, HomeRow } from "../../../operations/runs/index.ts";
import { ends, type Line, line, piece, type Piece } from "../text/line.ts";
import { elapsed, lasting } from "../text/time.ts";

const headings: Readonly<Record<HomeRow["group"], string>> = {
  waits: "Waits for you",
  works: "Works",
  stopped: "Stopped, nobody works on it",
  ended: "Ended",
};

const endings: Readonly<Record<string, Piece>> = {
  completed: piece("✔ completed", "good"),
  failed: piece("✘ failed", "bad"),
  aborted: piece("✘ aborted", "bad"),
};

const risks = { high: "bad", medium: "ask", low: "ask" } as const;

function markOf({ group, state, risk }: HomeRow): Piece {
  if (group === "ended") return endings[state] ?? piece(state);
  if (group === "works") return piece("● works", "info");
  return group === "waits" ? piece("◆ decide", risks[risk ?? "low"]) : piece("■ stopped", "ask");
}

function whyOf({ why, stopReason, risk, group }: HomeRow): string {
  if (group === "waits") return `${why}${risk === "high" ? " (high risk)" : ""}`;
  return stopReason && stopReason !== "success" ? `${stopReason.replaceAll("_", " ")}: ${why}` : why;
}

const folderName = (repo: string): string => repo.split("/").at(-1) ?? repo;

function rowLines(row: HomeRow, chosen: boolean, named: boolean, now: number, columns: number): Line[] {
  const age = (row.group === "works" ? elapsed : lasting)(now - row.since);
  const mark = markOf(row);
  const head = ends(
    line(
      piece(chosen ? "❯ " : "  ", "chosen"),
      { ...mark, text: mark.text.padEnd(12) },
      piece(plainLine(row.goal, 300), chosen ? "chosen" : "plain"),
    ),
    line(piece(`  ${named ? `${plainLine(folderName(row.repo), 24)}  ` : ""}${age}`, "dim")),
    columns,
  );
  const why = plainLine(whyOf(row), 300);
  return row.state === "completed" || why === ""
    ? [head]
    : [head, line(piece(`${" ".repeat(14)}${why}`, "dim"))];
}

/** Where a row begins and ends in the body, so that the chosen one can be kept in sight. */
export interface ListBody {
  readonly lines: readonly Line[];
  readonly chosenAt: readonly [from: number, to: number];
}

export function listBody(
  { rows, repos }: Home,
  chosen: HomeRow | undefined,
  now: number,
  columns: number,
): ListBody {
  const lines: Line[] = [];
  let at: [number, number] = [0, 0];
  let group: string | undefined;
  for (const row of rows) {
    if (row.group !== group) {
      if (lines.length > 0) lines.push([]);
      lines.push(line(piece(headings[row.group], "bold"), piece(` (${countOf(rows, row.group)})`, "dim")));
      ({ group } = row);
    }
    const isChosen = row.runId === chosen?.runId && row.repo === chosen.repo;
    const drawn = rowLines(row, isChosen, repos.length > 1, now, columns);
    if (isChosen) at = [lines.length - 1, lines.length + drawn.length];
    lines.push(...drawn);
  }
  const unread = repos.flatMap(({ repo, problem }) =>
    problem === null
      ? []
      : [line(piece(`✘ ${plainLine(repo)} cannot be read: ${plainLine(problem)}`, "bad"))],
  );
  return { lines: [...lines, ...unread], chosenAt: at };
}

const countOf = (rows: Home["rows"], group: HomeRow["group"]): number =>
  rows.filter((row) => row.group === group).length;

export const emptyList: readonly Line[] = [
  line(piece("No runs yet.", "bold")),
  [],
  line("Start one in another terminal:  ", piece('thehood run "what you want done"', "info")),
  line("See a whole run on a sample:    ", piece("thehood demo", "info")),
];

export function countsLine({ rows }: Home): Line {
  const [waits, works] = [countOf(rows, "waits"), countOf(rows, "works")];
  return line(
    piece(`${waits} wait`, waits > 0 ? "ask" : "dim"),
    piece(" · ", "dim"),
    piece(`${works} work`, works > 0 ? "info" : "dim"),
  );
}
