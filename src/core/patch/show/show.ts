// A patch as rows for display: files with the kind of change, hunks, and lines with the changed words marked. Nothing is
// omitted; an invisible character is shown as its code point.
import { visibleText } from "../../contract/index.ts";
import { byteString, decodeUtf8 } from "../bytes.ts";
import { classifyPath, type PathKind } from "../classify/classify.ts";
import type { ChangeKind, Hunk, Section } from "../model.ts";
import { readText } from "../read/read.ts";

export type MarkRange = readonly [from: number, to: number];

const word = /[\p{L}\p{N}_]+|\s+|./gu;
/** Longer lines get no marks; a changed part with more words is marked as a whole. */
const longest = 2_000;
const mostWords = 80;

/** For each side, which words are not in the longest common subsequence. */
function uncommon(older: readonly string[], newer: readonly string[]): [boolean[], boolean[]] {
  const [rows, columns] = [older.length, newer.length];
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        older[row] === newer[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const [removedWords, addedWords] = [older.map(() => true), newer.map(() => true)];
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (older[row] === newer[column]) {
      removedWords[row] = false;
      addedWords[column] = false;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return [removedWords, addedWords];
}

function ranges(words: readonly string[], changed: (index: number) => boolean): MarkRange[] {
  const found: [number, number][] = [];
  let offset = 0;
  for (const [index, text] of words.entries()) {
    const last = found.at(-1);
    if (changed(index)) {
      if (last && last[1] === offset) last[1] += text.length;
      else found.push([offset, offset + text.length]);
    }
    offset += text.length;
  }
  return found;
}

/** The ranges to mark on each side. Undefined when more than 70 % of the lines would be marked. */
export function wordMarks(older: string, newer: string): readonly [MarkRange[], MarkRange[]] | undefined {
  if (older.length > longest || newer.length > longest) return undefined;
  const [before, after] = [older.match(word) ?? [], newer.match(word) ?? []];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [removedWords, addedWords] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const precise = removedWords.length <= mostWords && addedWords.length <= mostWords;
  const [old, fresh] = precise
    ? uncommon(removedWords, addedWords)
    : [removedWords.map(() => true), addedWords.map(() => true)];
  const marks = [
    ranges(before, (index) => old[index - head] === true),
    ranges(after, (index) => fresh[index - head] === true),
  ] as const;
  const marked = marks.flat().reduce((sum, [from, to]) => sum + to - from, 0);
  return marked * 10 > (older.length + newer.length) * 7 ? undefined : marks;
}

/** Context, added, removed, or a remark about the previous line (no newline at end of file). */
type LineKind = " " | "+" | "-" | "\\";
/** The kind, the text, and the ranges of the words that changed. */
export type ShownLine = readonly [kind: LineKind, text: string, marks?: readonly MarkRange[]];

export interface ShownHunk {
  readonly old: number;
  readonly new: number;
  readonly heading: string;
  readonly lines: readonly ShownLine[];
}

export interface ShownFile {
  readonly path: string;
  /** The old path, when the file is renamed or copied. */
  readonly from: string | null;
  readonly change: ChangeKind;
  readonly oldMode: string | null;
  readonly newMode: string | null;
  /** For a binary file: its size after the change; -1 when the patch does not contain it. */
  readonly binary: number | null;
  readonly protected: boolean;
  readonly kinds: readonly PathKind[];
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly ShownHunk[];
}

export interface ShownPatch {
  readonly files: readonly ShownFile[];
  readonly added: number;
  readonly removed: number;
  /** Why the patch cannot be read completely; then rows are missing. */
  readonly problems: readonly string[];
}

type Draft = [LineKind, string, (readonly MarkRange[])?];

/** Marks the changed words of each removed line and the added line that replaces it. */
function mark(lines: readonly Draft[]): void {
  for (let at = 0; at < lines.length;) {
    const start = at;
    while (lines[at]?.[0] === "-") at += 1;
    const middle = at;
    while (lines[at]?.[0] === "+") at += 1;
    const pairs = Math.min(middle - start, at - middle);
    for (let index = 0; index < pairs; index += 1) {
      const [older, newer] = [lines[start + index], lines[middle + index]];
      const marks = older && newer ? wordMarks(older[1], newer[1]) : undefined;
      if (!older || !newer || !marks) continue;
      if (marks[0].length > 0) older[2] = marks[0];
      if (marks[1].length > 0) newer[2] = marks[1];
    }
    if (at === start) at += 1;
  }
}

const isKind = (text: string): text is LineKind => text === " " || text === "+" || text === "-" || text === "\\";

function shownHunk({ old, new: fresh, heading, body }: Hunk): ShownHunk {
  const lines = body
    .split("\n")
    .slice(0, -1)
    .map((line): Draft => {
      const kind = line.charAt(0);
      // A blank context line may have lost its leading space.
      return [isKind(kind) ? kind : " ", visibleText(decodeUtf8(line.slice(1)))];
    });
  mark(lines);
  return { old: old.start, new: fresh.start, heading: visibleText(decodeUtf8(heading.trim())), lines };
}

const counted = (hunks: readonly ShownHunk[], wanted: LineKind): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter(([kind]) => kind === wanted).length, 0);

function shownFile(section: Section, protectedGlobs: readonly string[]): ShownFile {
  const { body, change, oldPath, newPath, oldMode, newMode } = section;
  const path = newPath ?? oldPath ?? section.header.new.path;
  const hunks = body.kind === "hunks" ? body.hunks.map(shownHunk) : [];
  const classes = [path, oldPath ?? path].map((one) => classifyPath(one, protectedGlobs));
  return {
    path: visibleText(path),
    from: (change === "rename" || change === "copy") && oldPath !== null ? visibleText(oldPath) : null,
    change,
    oldMode,
    newMode,
    binary: body.kind === "binary" ? body.forward.size : body.kind === "binary-notice" ? -1 : null,
    protected: classes.some((one) => one.protected),
    kinds: [...new Set(classes.flatMap(({ kinds }) => kinds))],
    added: counted(hunks, "+"),
    removed: counted(hunks, "-"),
    hunks,
  };
}

const isTest = ({ kinds }: ShownFile): boolean => kinds.length > 0 && kinds.every((kind) => kind === "test");

/**
 * What could weaken the checks unseen comes first: settings and CI, and tests that are taken away. Then the work; then its
 * tests, the new ones last, because they are read after the code that they are about.
 */
function urgency(file: ShownFile): number {
  const isRemoved = file.change === "delete";
  if (isTest(file) && !isRemoved) return file.change === "create" ? 5 : 4;
  return (file.protected ? 0 : 2) + (isRemoved ? 0 : 1);
}

export function showPatch(input: Uint8Array | string, protectedGlobs: readonly string[] = []): ShownPatch {
  const { patch, problems } = readText(byteString(input));
  const files = patch.sections.map((section) => shownFile(section, protectedGlobs));
  return {
    files: files.sort((one, other) => urgency(one) - urgency(other)),
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
    problems: problems.map(({ message }) => visibleText(message)),
  };
}
