// Reads hunks (a header with numbers, and exactly as many lines as the numbers say), and the lines between sections.
import type { Cursor } from "./cursor.ts";
import { looksExtended } from "./extended.ts";
import type { Hunk, HunkRange } from "../model.ts";

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@( [^\n]*)?$/;

/** Larger numbers overflow in git. */
const mostLines = 2 ** 31 - 1;

function range(start: string, count: string | undefined): HunkRange | undefined {
  const canonical = (digits: string) => digits.length <= 10 && /^(?:0|[1-9]\d*)$/.test(digits);
  if (!canonical(start) || !canonical(count ?? "1") || Number(start) > mostLines) return undefined;
  return { start: Number(start), count: Number(count ?? "1"), counted: count !== undefined };
}

export function readHunkHeader(line: string): Omit<Hunk, "body" | "line"> | undefined {
  const match = header.exec(line);
  if (!match) return undefined;
  const [, oldStart = "", oldCount, newStart = "", newCount, heading = ""] = match;
  const older = range(oldStart, oldCount);
  const newer = range(newStart, newCount);
  if (!older || !newer) return undefined;
  if ((older.start === 0 && older.count > 0) || (newer.start === 0 && newer.count > 0)) return undefined;
  if (older.count === 0 && newer.count === 0) return undefined;
  return { old: older, new: newer, heading };
}

const printRange = (range: HunkRange): string =>
  range.counted ? `${range.start},${range.count}` : String(range.start);

export const printHunkHeader = (hunk: Omit<Hunk, "body" | "line">): string =>
  `@@ -${printRange(hunk.old)} +${printRange(hunk.new)} @@${hunk.heading}`;

const space = 0x20;
const plus = 0x2b;
const minus = 0x2d;
const backslash = 0x5c;
const newline = 0x0a;

/** git accepts any line of at least 12 bytes that starts with a backslash and a space: its text is translated. */
const isMarker = (cursor: Cursor): boolean => cursor.starts("\\ ") && cursor.lineEnd() - cursor.at >= 12;

/** Reads the lines of a hunk. Undefined, with a problem recorded, when numbers and lines disagree. */
export function readHunkBody(cursor: Cursor, head: Omit<Hunk, "body" | "line">): string | undefined {
  const { text } = cursor;
  const start = cursor.at;
  const at = cursor.line;
  let older = head.old.count;
  let newer = head.new.count;
  let last = 0;
  const wrong = (message: string) => {
    cursor.problem("hunk_count_mismatch", `Hunk at line ${at - 1}: ${message}`, { line: cursor.line });
    return undefined;
  };
  const misplaced = () => {
    cursor.problem("patch_malformed", `Hunk at line ${at - 1}: "no newline" follows a line that is not the last`);
    return undefined;
  };
  while (older > 0 || newer > 0) {
    if (cursor.done) return wrong("it ends before the numbers of its header are reached");
    const kind = text.charCodeAt(cursor.at);
    if (kind === backslash) {
      if (!isMarker(cursor) || last === 0 || !closes(last, older, newer)) return misplaced();
      last = 0;
      cursor.skip();
      continue;
    }
    if (kind === space || kind === newline) {
      older--;
      newer--;
    } else if (kind === minus) older--;
    else if (kind === plus) newer--;
    else return wrong("a line that is neither context, addition nor removal comes before its end");
    if (older < 0 || newer < 0) return wrong("it has more lines on one side than its header says");
    last = kind === newline ? 0 : kind;
    cursor.skip();
    if (cursor.done && text[text.length - 1] !== "\n") return wrong("its last line is cut off");
  }
  if (cursor.starts("\\")) {
    if (!isMarker(cursor) || last === 0) return misplaced();
    cursor.skip();
    if (cursor.done && text[text.length - 1] !== "\n") return wrong("its last line is cut off");
  }
  return text.slice(start, cursor.at);
}

/** The line before the marker must be the last line of each side it belongs to. */
const closes = (last: number, older: number, newer: number): boolean =>
  last === minus ? older === 0 : last === plus ? newer === 0 : older === 0 && newer === 0;

/** `front`: before the first section. `hunks`, `other`: after a section. `signature`: after `-- `. `lost`: after a problem. */
export type GapState = "front" | "hunks" | "other" | "signature" | "lost";

const at = 0x40;
const version = /^\d+\.\d+[\w.+() -]*$/;
const mailStart = /^From [0-9a-f]{40} /;

export function readGapLine(cursor: Cursor, state: GapState): GapState {
  const plain = state === "lost" || (state === "front" && cursor.text.charCodeAt(cursor.at) !== at);
  if (plain) {
    cursor.skip();
    return state;
  }
  const line = cursor.peek();
  const next = judgeLine(cursor, line, state);
  cursor.skip();
  return next;
}

function judgeLine(cursor: Cursor, line: string, state: GapState): GapState {
  if (state === "front") {
    if (line.startsWith("@@@ -")) cursor.problem("combined_diff", "A combined diff (@@@) cannot be applied");
    else if (line.startsWith("@@ -")) cursor.problem("no_diff_header", "A hunk comes before any diff --git header");
    return state;
  }
  if (mailStart.test(line)) return "front";
  if (line === "") return state;
  if (state === "signature" && version.test(line)) return state;
  if (line === "-- ") return "signature";
  if (line.startsWith("@@")) {
    cursor.problem("hunk_header_malformed", "A hunk is outside any section");
    return "lost";
  }
  const change = /^[ +\-\\]/.test(line);
  if (change && state !== "other") {
    cursor.problem("hunk_count_mismatch", "Lines of a change follow a hunk whose numbers do not count them");
    return "lost";
  }
  if (change || looksExtended(line) || line === "GIT binary patch" || /^(?:literal|delta) \d/.test(line)) {
    cursor.problem("patch_malformed", `"${line.slice(0, 60)}" is outside any section`);
    return "lost";
  }
  return state;
}
