// Finds the lines of chunks in a file. A chunk that fits at no line or at several is refused: nothing is guessed.
import { LineIndex } from "../apply/search.ts";
import type { Effort } from "../apply/apply.ts";
import { refuse, shown, type Chunk, type Refusal } from "./proposal.ts";
import type { LineEdit } from "./write.ts";

/** A file as lines with their line ends, and an index in which each line ends in LF. */
export interface TextFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly eol: string;
  readonly index: LineIndex;
}

export function openText(path: string, bytes: string): TextFile {
  const lines = bytes.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const crlf = lines.length > 0 && lines.every((line) => line.endsWith("\r\n") || !line.endsWith("\n"));
  const eol = crlf && bytes.includes("\r\n") ? "\r\n" : "\n";
  const plain = eol === "\r\n" ? bytes.replaceAll("\r\n", "\n") : bytes;
  const whole = plain === "" || plain.endsWith("\n") ? plain : `${plain}\n`;
  return { path, lines, eol, index: new LineIndex(whole) };
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** The line after the anchors. Each is compared without its indentation and must be in the file once below the one before. */
function afterAnchors({ lines }: TextFile, anchors: readonly string[], from: number): number | undefined {
  let at = from;
  for (const anchor of anchors) {
    const wanted = anchor.trim();
    const found = lines.flatMap((line, index) => (index >= at && line.trim() === wanted ? [index] : []));
    if (found.length !== 1) return undefined;
    at = (found[0] ?? 0) + 1;
  }
  return anchors.length === 0 ? undefined : at;
}

/** The only place of the lines; or, below anchors that are in the file once, the first place. */
function findChunk(file: TextFile, chunk: Chunk, from: number): number | Refusal {
  const { index, path } = file;
  const old = chunk.lines.filter(({ mark }) => mark !== "+").map(({ text }) => text);
  if (old.length === 0)
    return index.count === 0
      ? 0
      : refuse("ambiguous_context", `${shown(path)}: lines are added, and no line says where`);
  const wanted = joined(old);
  const fits = (start: number) => (at: number) => at >= start && (!chunk.atEnd || at + old.length === index.count);
  const [first, second] = index.places(wanted, 2, fits(from));
  if (first === undefined)
    return refuse("context_mismatch", `${shown(path)} does not have the lines that start with ${shown(old[0] ?? "")}`);
  if (second === undefined) return first;
  const below = afterAnchors(file, chunk.anchors, from);
  const [meant] = below === undefined ? [] : index.places(wanted, 1, fits(below));
  return (
    meant ??
    refuse("ambiguous_context", `${shown(path)} has the lines that start with ${shown(old[0] ?? "")} several times`)
  );
}

/** The changed lines of a chunk that starts at line `at`, without its context. */
function editsOf({ lines }: Chunk, at: number, eol: string): LineEdit[] {
  const edits: LineEdit[] = [];
  let from = at;
  let to = at;
  let added: string[] = [];
  const flush = () => {
    if (to > from || added.length > 0) edits.push({ from, to, lines: added });
    from = to;
    added = [];
  };
  for (const { mark, text } of lines) {
    if (mark === "+") added.push(text + eol);
    else if (mark === "-") to += 1;
    else {
      flush();
      to += 1;
      from = to;
    }
  }
  flush();
  return edits;
}

/** Without lines that stay the same at its start and end. */
function trimmed(file: TextFile, { from, to, lines }: LineEdit): LineEdit | undefined {
  let [start, end, first, last] = [from, to, 0, lines.length];
  const plain = (line: string | undefined) => line?.replace(/\r?\n$/, "");
  while (start < end && first < last && plain(file.lines[start]) === plain(lines[first]))
    [start, first] = [start + 1, first + 1];
  while (end > start && last > first && plain(file.lines[end - 1]) === plain(lines[last - 1]))
    [end, last] = [end - 1, last - 1];
  return start === end && first === last ? undefined : { from: start, to: end, lines: lines.slice(first, last) };
}

/** A file that ends without a line end keeps that: only its last line lacks it. */
function fitEnd(file: TextFile, edit: LineEdit): LineEdit {
  const count = file.lines.length;
  const last = file.lines[count - 1];
  if (last === undefined || last.endsWith("\n") || edit.to !== count || edit.lines.length === 0) return edit;
  const lines = [...edit.lines.slice(0, -1), (edit.lines.at(-1) ?? "").replace(/\r?\n$/, "")];
  return edit.from === count ? { from: count - 1, to: count, lines: [last + file.eol, ...lines] } : { ...edit, lines };
}

export function tidy(file: TextFile, edits: readonly LineEdit[]): LineEdit[] | Refusal {
  const sorted = edits.toSorted((one, two) => one.from - two.from || one.to - two.to);
  const overlap = sorted.some((edit, at) => {
    const before = sorted[at - 1];
    return before !== undefined && (before.to > edit.from || (before.from === edit.from && before.to === edit.to));
  });
  if (overlap) return refuse("hunk_overlap", `${shown(file.path)}: two changes are made in the same lines`);
  return sorted.flatMap((edit) => trimmed(file, edit) ?? []).map((edit) => fitEnd(file, edit));
}

/** Chunks of one part follow each other in the file. */
export function placeChunks(
  file: TextFile,
  parts: readonly (readonly Chunk[])[],
  effort: Effort,
): LineEdit[] | Refusal {
  const edits: LineEdit[] = [];
  for (const chunks of parts) {
    let from = 0;
    for (const chunk of chunks) {
      effort.left -= file.index.count * (1 + chunk.anchors.length) + chunk.lines.length;
      if (effort.left < 0) return refuse("too_large", `${shown(file.path)}: finding the lines takes too long`);
      const at = findChunk(file, chunk, from);
      if (typeof at !== "number") return at;
      for (const edit of editsOf(chunk, at, file.eol)) edits.push(edit);
      from = at + chunk.lines.filter(({ mark }) => mark !== "+").length;
    }
  }
  return tidy(file, edits);
}
