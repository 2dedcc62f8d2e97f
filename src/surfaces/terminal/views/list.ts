// The list on the screen: runs that wait, are worked on, stopped and ended, then sessions of the gateway and of oracle.
import { plainLine } from "../../../core/contract/index.ts";
import type { ListedSession } from "../../../core/contract/transport/index.ts";
import { stateText, type Home, type HomeRow, type SessionRow } from "../../../operations/run-data/index.ts";
import { ends, type Line, line, piece, type Piece } from "../text/line.ts";
import { elapsed, lasting } from "./text.ts";

/** The thing behind a row. */
export type Opens =
  | { readonly kind: "run"; readonly repo: string; readonly id: string }
  | { readonly kind: "session" | "oracle"; readonly id: string };

export interface Entry {
  readonly opens: Opens;
  readonly heading: string;
  readonly mark: Piece;
  readonly title: string;
  readonly aside: string;
  /** Beside the title where it leaves room; the last ones give way. */
  readonly numbers: readonly string[];
  /** The line below; empty for no line. */
  readonly why: string;
  /** The command that shows the same. */
  readonly command: string;
}

const headings: Readonly<Record<HomeRow["group"], string>> = {
  waits: "Needs you",
  works: "Running",
  stopped: "Stopped",
  ended: "Ended",
};

const endings: Readonly<Record<string, Piece>> = {
  completed: piece("✔ completed", "good"),
  failed: piece("✘ failed", "bad"),
  error: piece("✘ failed", "bad"),
  aborted: piece("✘ aborted", "bad"),
};

const risks = { high: "bad", medium: "ask", low: "ask" } as const;

function markOf({ group, state, risk, stopReason, undone }: HomeRow): Piece {
  if (undone) return piece("↩ undone", "dim");
  const text = stateText(state, stopReason);
  if (text !== state) return piece("? doubts", "ask");
  if (group === "ended") return endings[state] ?? piece(state);
  if (group === "works") return piece("● running", "info");
  return group === "waits" ? piece("◆ decide", risks[risk ?? "low"]) : piece("■ stopped", "ask");
}

function whyOf({ why, stopReason, risk, group, state }: HomeRow): string {
  if (state === "completed") return "";
  if (group === "waits") return risk === null || risk === "low" ? why : `${why} (${risk} risk)`;
  return stopReason && stopReason !== "success" ? `${stopReason.replaceAll("_", " ")}: ${why}` : why;
}

const folderName = (repo: string): string => repo.split("/").at(-1) ?? repo;

function runEntry(row: HomeRow, named: boolean, now: number): Entry {
  const age = (row.group === "works" ? elapsed : lasting)(now - row.since);
  return {
    opens: { kind: "run", repo: row.repo, id: row.runId },
    heading: headings[row.group],
    mark: markOf(row),
    title: row.goal,
    aside: `${named ? `${plainLine(folderName(row.repo), 24)}  ` : ""}${age}`,
    numbers: row.numbers,
    why: whyOf(row),
    command: `thehood status ${row.runId}`,
  };
}

const stateMark = (state: string): Piece => endings[state] ?? piece(`· ${state}`, "info");

const sessionEntry = ({ id, title, status, updatedAt, error, requested = [] }: SessionRow, now: number): Entry => {
  const waits = requested.length > 0;
  return {
    opens: { kind: "session", id },
    heading: "Sessions of the gateway",
    mark: waits ? piece("◆ values", "ask") : stateMark(status),
    title,
    aside: lasting(now - updatedAt),
    numbers: [],
    why: waits ? `waits for values: ${requested.map(({ key }) => key).join(", ")}` : (error ?? ""),
    command: `thehood gateway ${waits ? "answer" : "session"} ${id}`,
  };
};

const oracleEntry = ({ id, view, problem }: ListedSession, now: number): Entry => ({
  opens: { kind: "oracle", id },
  heading: "Sessions of oracle",
  mark: stateMark(view?.record.status ?? "unreadable"),
  title: id,
  aside: view ? lasting(now - Date.parse(view.record.createdAt)) : "",
  numbers: [],
  why: problem ?? "",
  command: `oracle session ${id}`,
});

export const entriesOf = (
  { rows, repos, sessions }: Home,
  oracle: readonly ListedSession[],
  now: number,
): readonly Entry[] => [
  ...rows.map((row) => runEntry(row, repos.length > 1, now)),
  ...sessions.map((session) => sessionEntry(session, now)),
  ...oracle.map((listed) => oracleEntry(listed, now)),
];

export const sameThing = (one: Opens | undefined, other: Opens): boolean =>
  one?.kind === other.kind &&
  one.id === other.id &&
  (one.kind !== "run" || other.kind !== "run" || one.repo === other.repo);

/** The columns that a mark takes, and those that a title keeps. */
const [markColumns, leastTitle] = [14, 30];

function asideWith({ numbers, aside }: Entry, columns: number): string {
  const texts = numbers.map((_, at) => `  ${[...numbers.slice(0, numbers.length - at), aside].join("  ")}`);
  return texts.find(({ length }) => columns - markColumns - length >= leastTitle) ?? `  ${aside}`;
}

function entryLines(entry: Entry, chosen: boolean, columns: number): Line[] {
  const { mark, title, why } = entry;
  const head = ends(
    line(
      piece(chosen ? "❯ " : "  ", "chosen"),
      { ...mark, text: mark.text.padEnd(markColumns - 2) },
      piece(plainLine(title, 300), chosen ? "chosen" : "plain"),
    ),
    line(piece(asideWith(entry, columns), "dim")),
    columns,
  );
  const below = plainLine(why, 300);
  return below === "" ? [head] : [head, line(piece(`${" ".repeat(markColumns)}${below}`, "dim"))];
}

/** The body, and the lines of the chosen row, so that it can be kept on the screen. */
export interface ListBody {
  readonly lines: readonly Line[];
  readonly chosenAt: readonly [from: number, to: number];
}

export function listBody(
  entries: readonly Entry[],
  chosen: Opens | undefined,
  columns: number,
  repos: Home["repos"],
): ListBody {
  const lines: Line[] = [];
  let at: [number, number] = [0, 0];
  let group: string | undefined;
  for (const entry of entries) {
    if (entry.heading !== group) {
      if (lines.length > 0) lines.push([]);
      const alike = entries.filter(({ heading }) => heading === entry.heading).length;
      lines.push(line(piece(entry.heading, "bold"), piece(` (${alike})`, "dim")));
      group = entry.heading;
    }
    const isChosen = sameThing(chosen, entry.opens);
    const drawn = entryLines(entry, isChosen, columns);
    if (isChosen) at = [lines.length - 1, lines.length + drawn.length];
    lines.push(...drawn);
  }
  const unread = repos.flatMap(({ repo, problem }) =>
    problem === null ? [] : [line(piece(`✘ ${plainLine(repo)} cannot be read: ${plainLine(problem)}`, "bad"))],
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

export function countsLine({ rows, sessions }: Home): Line {
  const asking = sessions.filter(({ requested = [] }) => requested.length > 0).length;
  const [waits, works] = [countOf(rows, "waits") + asking, countOf(rows, "works")];
  return line(
    piece(`${waits} waiting`, waits > 0 ? "ask" : "dim"),
    piece(" · ", "dim"),
    piece(`${works} running`, works > 0 ? "info" : "dim"),
  );
}
