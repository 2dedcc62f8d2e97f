// Changed lines of a file → the section of a canonical patch, with three lines of context as git writes them.
import type { Name } from "../model.ts";
import { needsQuotes } from "../quote.ts";
import { printName } from "../read/name.ts";

/** Lines `from` to `to` (from 0, without `to`) become `lines`. All lines carry their line end. */
export interface LineEdit {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

const context = 3;
const noNewline = "\\ No newline at end of file\n";

const nameOf = (prefix: string, bytes: string): Name => ({
  prefix,
  bytes,
  path: bytes,
  quoting: needsQuotes(bytes) ? "raw" : "bare",
});

export const printPath = (prefix: string, bytes: string): string => printName(nameOf(prefix, bytes));

const marked = (mark: string, line: string): string =>
  line.endsWith("\n") ? mark + line : `${mark}${line}\n${noNewline}`;

const range = (start: number, count: number): string => {
  const at = count === 0 ? start : start + 1;
  return count === 1 ? String(at) : `${at},${count}`;
};

/** Edits that are so near to each other that they share context. */
function groups(edits: readonly LineEdit[]): LineEdit[][] {
  const all: LineEdit[][] = [];
  let last: LineEdit | undefined;
  for (const edit of edits) {
    if (last && edit.from - last.to <= 2 * context) all.at(-1)?.push(edit);
    else all.push([edit]);
    last = edit;
  }
  return all;
}

/** The hunks that make `edits` (sorted, without overlap) of the lines of a file. */
export function printHunks(file: readonly string[], edits: readonly LineEdit[]): string {
  const out: string[] = [];
  let delta = 0;
  for (const group of groups(edits)) {
    const start = Math.max(0, (group[0]?.from ?? 0) - context);
    const end = Math.min(file.length, (group.at(-1)?.to ?? 0) + context);
    const body: string[] = [];
    let at = start;
    let change = 0;
    for (const { from, to, lines } of group) {
      for (; at < from; at++) body.push(marked(" ", file[at] ?? ""));
      for (; at < to; at++) body.push(marked("-", file[at] ?? ""));
      for (const line of lines) body.push(marked("+", line));
      change += lines.length - (to - from);
    }
    for (; at < end; at++) body.push(marked(" ", file[at] ?? ""));
    const count = end - start;
    out.push(`@@ -${range(start, count)} +${range(start + delta, count + change)} @@\n`, ...body);
    delta += change;
  }
  return out.join("");
}

const header = (older: string, newer: string): string =>
  `diff --git ${printPath("a/", older)} ${printPath("b/", newer)}\n`;

export const fileLines = (older: string | null, newer: string | null): string =>
  `--- ${older === null ? "/dev/null" : printPath("a/", older)}\n+++ ${newer === null ? "/dev/null" : printPath("b/", newer)}\n`;

export function printCreated(path: string, lines: readonly string[]): string {
  const head = `${header(path, path)}new file mode 100644\n`;
  return lines.length === 0 ? head : head + fileLines(null, path) + printHunks([], [{ from: 0, to: 0, lines }]);
}

export function printDeleted(path: string, file: readonly string[], mode: string): string {
  const head = `${header(path, path)}deleted file mode ${mode}\n`;
  if (file.length === 0) return head;
  return head + fileLines(path, null) + printHunks(file, [{ from: 0, to: file.length, lines: [] }]);
}

export function printChanged(
  path: string,
  moveTo: string | null,
  file: readonly string[],
  edits: readonly LineEdit[],
): string {
  const target = moveTo ?? path;
  const moved = moveTo === null ? "" : `rename from ${printPath("", path)}\nrename to ${printPath("", moveTo)}\n`;
  const hunks = edits.length === 0 ? "" : fileLines(path, target) + printHunks(file, edits);
  return header(path, target) + moved + hunks;
}
