// Bytes → patch, and the paths it changes. Strict: a line that git would skip, guess or read differently than a person
// is a problem.
import { byteString } from "../bytes.ts";
import type { Patch, Section } from "../model.ts";
import { printText } from "./print.ts";
import { Cursor, type NameAt, type Problem, type ReadLimits } from "./cursor.ts";
import { readGapLine, type GapState } from "./hunk.ts";
import { headerPrefix, readFiles, readSection } from "./section.ts";

/** The sections that could be read, and the problems found. */
export interface PatchReading {
  readonly patch: Patch;
  /** Empty only when the patch is valid and prints byte for byte as it was read. */
  readonly problems: readonly Problem[];
  /** Every name in any header, also of sections that could not be read. */
  readonly names: readonly NameAt[];
}

export const patchLimits: ReadLimits = { files: 5000, hunks: 50_000 };

const letterD = 0x64;
const minus = 0x2d;
const combined = /^diff --(?:cc|combined) /;

/** A `---`/`+++` pair without a `diff --git` line above it: git would apply it. */
function readOrphan(cursor: Cursor): void {
  cursor.problem("no_diff_header", "A ---/+++ section has no diff --git header");
  readFiles(cursor);
}

export function readText(text: string, limits: ReadLimits = patchLimits): PatchReading {
  const cursor = new Cursor(text, limits);
  const sections: Section[] = [];
  let state: GapState = "front";
  let gap = 0;
  while (!cursor.done) {
    const first = text.charCodeAt(cursor.at);
    if (first === letterD && cursor.starts(headerPrefix)) {
      if (sections.length >= limits.files) {
        cursor.tooLarge(`More than ${limits.files} files`);
        break;
      }
      const known = cursor.problems.length;
      const section = readSection(cursor, text.slice(gap, cursor.at));
      sections.push(section);
      gap = cursor.at;
      state = cursor.problems.length > known ? "lost" : section.body.kind === "hunks" ? "hunks" : "other";
    } else if (first === letterD && combined.test(cursor.peek())) {
      cursor.problem("combined_diff", "A combined diff (of a merge) cannot be applied");
      state = "lost";
      cursor.skip();
    } else if (first === minus && cursor.starts("--- ") && cursor.nextLineStarts("+++ ")) {
      readOrphan(cursor);
      state = "lost";
    } else state = readGapLine(cursor, state);
  }
  const patch: Patch = { sections, after: text.slice(gap), eol: cursor.ends.crlf ? "\r\n" : "\n" };
  if (cursor.ends.crlf && cursor.ends.lf) {
    cursor.problem("line_ending_mismatch", "Some header lines end in CRLF and some in LF", { line: 1 });
  }
  if (sections.length === 0 && cursor.problems.length === 0) {
    if (text.trim() === "") cursor.problem("empty_patch", "The patch is empty", { line: 1 });
    else cursor.problem("no_diff_header", 'There is no "diff --git a/… b/…" header', { line: 1 });
  }
  if (cursor.problems.length === 0 && printText(patch) !== text) {
    cursor.problem("patch_malformed", "The patch cannot be written back byte for byte", { line: 1 });
  }
  const names = cursor.names.map((at) => ({ ...at, agrees: !cursor.disagreeing.has(at.name) }));
  return { patch, problems: cursor.problems, names };
}

export const parsePatch = (input: Uint8Array | string): PatchReading => readText(byteString(input));

/** Every path that the patch writes, creates or removes (not the source of a copy), each once, sorted. */
export function changedPaths({ sections }: Patch): string[] {
  const paths = sections.flatMap(({ change, oldPath, newPath }) => [change === "copy" ? null : oldPath, newPath]);
  return [...new Set(paths.filter((path) => path !== null))].sort();
}
