// A change with its line numbers and as many lines around it as the screen allows. No changed line is cut.
import { type Line, line, piece, wrapLine, ends } from "../text/line.ts";
import { fileNotes, piecesOf, type SheetChange, type ShownFile } from "./diff.ts";

export interface CompactOptions {
  readonly columns: number;
  /** Unchanged lines around a changed one. */
  readonly context: number;
  /** Files that need the user's own yes, with the reason. */
  readonly asks: ReadonlyMap<string, string>;
}

type Hunk = ShownFile["hunks"][number];

interface Numbered {
  readonly number: number;
  readonly row: Hunk["lines"][number];
}

/** Each line with its number: in the new file, or in the old one for a removed line. */
export function numberedLines({ old, new: fresh, lines }: Hunk): Numbered[] {
  let [before, after] = [old, fresh];
  return lines.map((row) => {
    const [kind] = row;
    const number = kind === "-" ? before : after;
    if (kind === "-" || kind === " ") before += 1;
    if (kind === "+" || kind === " ") after += 1;
    return { number, row };
  });
}

/** Remarks stay with the changed line before them. */
const isChange = ({ row: [kind] }: Numbered): boolean => kind !== " ";

function near(all: readonly Numbered[], context: number): (Numbered | null)[] {
  const kept = all.map((_, at) => all.slice(Math.max(0, at - context), at + context + 1).some(isChange));
  return all.flatMap((one, at) => (kept[at] ? [one] : at > 0 && kept[at - 1] && kept.includes(true, at) ? [null] : []));
}

function rowLines(one: Numbered | null, width: number, columns: number): readonly Line[] {
  if (one === null) return [line(piece(`${" ".repeat(width)} ⋮`, "dim"))];
  const [kind] = one.row;
  const label = kind === "\\" ? "" : String(one.number);
  return wrapLine(
    line(piece(`${label.padStart(width)} `, "dim"), ...piecesOf(one.row)),
    columns,
    " ".repeat(width + 2),
  );
}

/** A pipe has no width: the size stands near the name there. */
const widest = 120;

function headLine(file: ShownFile, { columns, asks }: CompactOptions): readonly Line[] {
  const why = asks.get(file.path);
  const notes = fileNotes({ ...file, protected: false });
  const words = [...notes, ...(why === undefined ? [] : [`${why}: needs your yes`])].join(" · ");
  const head = line(
    piece(file.path, "bold"),
    piece(words === "" ? "" : `  ${words}`, why === undefined ? "dim" : "ask"),
  );
  const size = line(piece(`+${file.added}`, "good"), " ", piece(`−${file.removed}`, "bad"));
  const wrapped = wrapLine(head, columns - 10, "  ");
  return wrapped.map((one, at) => (at === 0 ? ends(one, size, Math.min(columns, widest)) : one));
}

function fileLines(file: ShownFile, options: CompactOptions): readonly Line[] {
  const hunks = file.hunks.map((hunk) => near(numberedLines(hunk), options.context));
  const last = Math.max(0, ...hunks.flat().map((one) => one?.number ?? 0));
  const width = String(last).length + 1;
  const rows = hunks.flatMap((hunk, at) => (at > 0 ? [null, ...hunk] : hunk));
  return [...headLine(file, options), ...rows.flatMap((one) => rowLines(one, width, options.columns))];
}

export const compactChange = ({ files, problems }: SheetChange, options: CompactOptions): readonly Line[] => [
  ...problems.flatMap((problem) =>
    wrapLine(line(piece(`✘ this part of the change cannot be read: ${problem}`, "bad")), options.columns, "  "),
  ),
  ...files.flatMap((file) => fileLines(file, options)),
];
