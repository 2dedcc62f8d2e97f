// The lines of hunks: their kinds and counts, the old text a hunk expects and the new text it writes.
import type { Hunk, Section } from "./model.ts";

const plus = 0x2b;
const minus = 0x2d;
const backslash = 0x5c;
const newline = 0x0a;

type LineKind = "context" | "add" | "remove";

/** Visits each line: its kind, and start and end of its text in the body (with the line end, unless a marker removes it). */
export function eachLine(body: string, visit: (kind: LineKind, start: number, end: number) => void): void {
  let at = 0;
  while (at < body.length) {
    const found = body.indexOf("\n", at);
    const end = found === -1 ? body.length : found + 1;
    const code = body.charCodeAt(at);
    if (code !== backslash) {
      const kind = code === plus ? "add" : code === minus ? "remove" : "context";
      const cut = body.charCodeAt(end) === backslash ? end - 1 : end;
      // A blank context line may have lost its leading space.
      visit(kind, code === newline ? at : at + 1, cut);
    }
    at = end;
  }
}

/** How many lines a patch adds and removes. */
export function countLines(sections: readonly Section[]): {
  readonly added: number;
  readonly removed: number;
} {
  let [added, removed] = [0, 0];
  for (const { body } of sections)
    if (body.kind === "hunks")
      for (const hunk of body.hunks)
        eachLine(hunk.body, (kind) => {
          if (kind === "add") added += 1;
          else if (kind === "remove") removed += 1;
        });
  return { added, removed };
}

function side(hunk: Hunk, dropped: LineKind): string {
  const parts: string[] = [];
  eachLine(hunk.body, (kind, start, end) => {
    if (kind !== dropped) parts.push(hunk.body.slice(start, end));
  });
  return parts.join("");
}

/** The text that a hunk expects in the file. */
export const oldText = (hunk: Hunk): string => side(hunk, "add");

/** The text that a hunk writes instead. */
export const newText = (hunk: Hunk): string => side(hunk, "remove");

/** How many context lines follow the last change. With 0, git ties the hunk to the end of the file. */
export function trailingContext(hunk: Hunk): number {
  let count = 0;
  eachLine(hunk.body, (kind) => {
    count = kind === "context" ? count + 1 : 0;
  });
  return count;
}
