// A diff as lines: a header for each file with its kind of change, its hunks, and the changed words marked.
import type { GateSheet } from "../../../operations/run-data/index.ts";
import { type Line, line, piece, type Piece, type Tone, wrapLine } from "../text/line.ts";

export type SheetChange = GateSheet["changes"][number];
export type ShownFile = SheetChange["files"][number];
type ShownLine = ShownFile["hunks"][number]["lines"][number];

const tones = {
  "+": ["added", "addedWord"],
  "-": ["removed", "removedWord"],
  " ": ["plain", "plain"],
  "\\": ["dim", "dim"],
} as const;

/** The text as pieces, with the marked ranges as separate pieces. */
export function piecesOf([kind, text, marks = []]: ShownLine): readonly Piece[] {
  const [tone, marked]: readonly [Tone, Tone] = tones[kind];
  const pieces = [piece(kind, tone)];
  let at = 0;
  for (const [from, to] of marks) {
    pieces.push(piece(text.slice(at, from), tone), piece(text.slice(from, to), marked));
    at = to;
  }
  return [...pieces, piece(text.slice(at), tone)].map((one) => ({
    ...one,
    text: one.text.replaceAll("\t", "    "),
  }));
}

const changeNames: Readonly<Record<ShownFile["change"], string>> = {
  modify: "",
  create: "new",
  delete: "deleted",
  rename: "renamed",
  copy: "copied",
};

export function fileNotes(file: ShownFile): readonly string[] {
  const { change, from, oldMode, newMode, binary, protected: guarded, kinds } = file;
  return [
    ...(changeNames[change] === "" ? [] : [`${changeNames[change]}${from === null ? "" : ` from ${from}`}`]),
    ...(oldMode !== null && newMode !== null && oldMode !== newMode ? [`mode ${oldMode} → ${newMode}`] : []),
    ...(binary === null ? [] : [binary < 0 ? "binary" : `binary, ${binary} bytes`]),
    ...(guarded ? [`protected: ${kinds.join(", ")}`] : []),
  ];
}

function headOf(file: ShownFile): Line {
  const notes = fileNotes(file);
  return line(
    piece(file.path, "bold"),
    "  ",
    piece(`+${file.added}`, "good"),
    " ",
    piece(`-${file.removed}`, "bad"),
    piece(notes.length > 0 ? `  ${notes.join(" · ")}` : "", file.protected ? "ask" : "dim"),
  );
}

export function changeLines({ files, problems }: SheetChange, columns: number): readonly Line[] {
  const lines = files.flatMap((file, at) => [
    ...(at > 0 ? [[]] : []),
    headOf(file),
    ...file.hunks.flatMap(({ old, new: fresh, heading, lines: rows }) => [
      line(piece(`@@ line ${old} → ${fresh}  ${heading}`.trimEnd(), "info")),
      ...rows.map((row) => line(...piecesOf(row))),
    ]),
  ]);
  const unread = problems.map((problem) => line(piece(`✘ this part of the change cannot be read: ${problem}`, "bad")));
  return [...unread, ...lines].flatMap((one) => wrapLine(one, columns, "  "));
}
