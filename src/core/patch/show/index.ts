// A patch as rows for a reader: files with what happened to each, hunks, lines with marks on the words that changed.
// Nothing is left out; a character that the eye does not see is written as its number.
import { visibleText } from "../../contract/index.ts";
import { byteString, decodeUtf8 } from "../bytes.ts";
import { classifyPath, type PathKind } from "../classify/index.ts";
import type { ChangeKind, Hunk, Section } from "../model.ts";
import { readText } from "../read/index.ts";
import { wordMarks, type MarkRange } from "./marks.ts";

/** Context, added, removed, or a word about the line before it. */
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
  /** Where it was, when it is moved or copied. */
  readonly from: string | null;
  readonly change: ChangeKind;
  readonly oldMode: string | null;
  readonly newMode: string | null;
  /** Its bytes are not text: how many there are afterwards; -1 when the patch does not tell. */
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
  /** Why it cannot be read as a whole; then the rows are not all of it. */
  readonly problems: readonly string[];
}

type Draft = [LineKind, string, (readonly MarkRange[])?];

/** Each removed line beside the added line that stands in its place. */
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

const isKind = (text: string): text is LineKind =>
  text === " " || text === "+" || text === "-" || text === "\\";

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

/** Files that need an approval of their own come first, and among them those that are gone. */
const urgency = ({ protected: guarded, change }: ShownFile): number =>
  (guarded ? 0 : 2) + (change === "delete" ? 0 : 1);

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
