// Blocks that hold a whole file. A block may show only a part of a file, so one for an existing file is taken only when it
// loses nothing at the start and the end of the file and keeps at least half of its lines.
import { diffLines } from "./line-diff.ts";
import type { Piece } from "./pieces.ts";
import { tidy, type TextFile } from "./place.ts";
import { refuse, shown, type Refusal } from "./proposal.ts";
import { pathLine } from "./search-replace.ts";
import type { LineEdit } from "./write.ts";

const named = /(?:^|[\s{,])(?:title|file|filename|path|name)\s*[=:]\s*["']?([^"'\s},]+)/i;
const hasEnding = /[\w)\]-]\.[A-Za-z][A-Za-z0-9]{0,9}$/;

/** The path behind the opening fence: `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`, `src/a.ts`. */
export function pathOfInfo(info: string): string | undefined {
  const given = named.exec(info)?.[1];
  if (given !== undefined) return given;
  const words = info.trim().split(/\s+/);
  const last = words.at(-1) ?? "";
  // `12:15:src/a.ts` names lines of a file.
  const path = words.length === 1 ? (/^[A-Za-z+#]+:(?!\d)(.+)$/.exec(last)?.[1] ?? last) : last;
  if (!hasEnding.test(path) || path.includes(":")) return undefined;
  return words.length > 1 || path !== last || path.includes("/") ? path : undefined;
}

/** The path on the line above a block, when the line is nothing else. */
export const pathAbove = ({ above }: Piece): string | undefined => {
  const path = pathLine(above);
  return path !== undefined && hasEnding.test(path) && !/\s/.test(path) ? path : undefined;
};

/** A line that stands for lines that are left out. */
const elision = /^\s*(?:\/\/|#|--|;|\/\*|<!--|\{\/\*)?\s*(?:\.{3}|…)/;

const unsure = (path: string, why: string): Refusal =>
  refuse("invalid_diff", `The block for ${shown(path)} may be only a part of the file: ${why}`);

/** `lines` have no line ends. */
export function replaceWhole(file: TextFile, lines: readonly string[]): LineEdit[] | Refusal {
  const { path, eol } = file;
  if (lines.some((line) => elision.test(line))) return unsure(path, 'it has a line with "..."');
  const plain = file.lines.map((line) => line.replace(/\r?\n$/, ""));
  const edits = diffLines(plain, lines);
  if (edits === undefined) return unsure(path, "it differs in too many lines");
  const removed = edits.reduce((sum, { from, to }) => sum + to - from, 0);
  if (2 * removed > plain.length) return unsure(path, "it lacks more than half of its lines");
  const loses = edits.some(
    ({ from, to, lines: added }) => (from === 0 || to === plain.length) && to - from > added.length,
  );
  if (loses) return unsure(path, "it lacks lines at the start or the end of the file");
  return tidy(
    file,
    edits.map((edit) => ({ ...edit, lines: edit.lines.map((line) => line + eol) })),
  );
}
