// Repairs of a patch from an answer: final newline, line ends, file modes, hunk counts. Each repair that was made is
// named in the result, and none guesses.
import { byteString, fromBytes, toBytes } from "./bytes.ts";
import { eachLine } from "./lines.ts";
import type { Hunk, Patch, Section, TreeReader } from "./model.ts";
import { printText } from "./read/print.ts";
import { headerPrefix } from "./read/section.ts";
import { printHunkHeader, readHunkHeader } from "./read/hunk.ts";
import { readText } from "./read/read.ts";

const mendings = ["final_newline", "header_line_ends", "file_mode", "hunk_counts", "line_ends"] as const;
export type Mending = (typeof mendings)[number];

export const ensureFinalNewline = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** CRLF on every line comes from the transport and becomes LF. A single CRLF is content and stays. */
export function plainLineEnds(text: string): string {
  const all = text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text);
  return all ? text.replaceAll("\r\n", "\n") : text;
}

/** Adds the missing mode line of a new or deleted file: without it git reads /dev/null as a file name. */
export function addFileModes(text: string): string {
  return text
    .replaceAll(/^(diff --git [^\n]*\n)((?:index [^\n]*\n)?--- \/dev\/null\n\+\+\+ )/gm, "$1new file mode 100644\n$2")
    .replaceAll(
      /^(diff --git [^\n]*\n)((?:index [^\n]*\n)?--- (?!\/dev\/null)[^\n]*\n\+\+\+ \/dev\/null\n)/gm,
      "$1deleted file mode 100644\n$2",
    );
}

/** Counts the lines of one hunk. Undefined when it is not certain which lines belong to it. */
function countLines(lines: readonly string[]): { old: number; new: number } | undefined {
  const counts = { old: 0, new: 0 };
  for (const [index, line] of lines.entries()) {
    const files = line.startsWith("--- ") && (lines[index + 1] ?? "").startsWith("+++ ");
    if (!/^(?:[ +\-\\]|$)/.test(line) || line === "-- " || files) return undefined;
    if (!line.startsWith("+") && !line.startsWith("\\")) counts.old++;
    if (!line.startsWith("-") && !line.startsWith("\\")) counts.new++;
  }
  // A blank line at the end may be context or may follow the hunk.
  return lines.at(-1) === "" ? undefined : counts;
}

/**
 * Corrects the counts of each hunk, and the new start lines that follow from them. Only for a complete text of sections:
 * there every line below a hunk header belongs to the hunk. Undefined when that is not certain.
 */
export function recountHunks(text: string): string | undefined {
  const lines = ensureFinalNewline(text).split("\n").slice(0, -1);
  const out: string[] = [];
  let delta = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith(headerPrefix)) delta = 0;
    const head = readHunkHeader(line);
    if (!head) {
      if (line.startsWith("@@")) return undefined;
      out.push(line);
      continue;
    }
    let end = at + 1;
    while (end < lines.length && !/^(?:@@|diff --git )/.test(lines[end] ?? "")) end++;
    const body = lines.slice(at + 1, end);
    const counts = countLines(body);
    if (!counts || (head.old.start === 0 && counts.old > 0)) return undefined;
    const counted = (count: number, was: boolean) => was || count !== 1;
    const start =
      counts.new === 0 ? Math.max(0, head.old.start + delta - 1) : head.old.start + delta + (counts.old === 0 ? 1 : 0);
    out.push(
      printHunkHeader({
        old: { start: head.old.start, count: counts.old, counted: counted(counts.old, head.old.counted) },
        new: { start, count: counts.new, counted: counted(counts.new, head.new.counted) },
        heading: head.heading,
      }),
      ...body,
    );
    delta += counts.new - counts.old;
    at = end - 1;
  }
  return `${out.join("\n")}\n`;
}

function convertBody(body: string, crlf: boolean): string {
  const parts: string[] = [];
  let done = 0;
  eachLine(body, (_kind, start, end) => {
    const line = body.slice(start, end);
    const plain = line.replace(/\r?\n$/, "");
    parts.push(body.slice(done, start), line.endsWith("\n") ? plain + (crlf ? "\r\n" : "\n") : line);
    done = end;
  });
  return parts.join("") + body.slice(done);
}

/** `crlf`, `lf`, or undefined when a text has both or no line end. */
function lineEndOf(text: string): "crlf" | "lf" | undefined {
  const returns = text.includes("\r\n");
  const plain = /(?:^|[^\r])\n/.test(text);
  if (returns === plain) return undefined;
  return returns ? "crlf" : "lf";
}

function fitSection(section: Section, tree: TreeReader): Section {
  const { body, oldPath } = section;
  if (body.kind !== "hunks" || oldPath === null) return section;
  const bytes = tree.kind(oldPath) === "symlink" ? undefined : tree.content(oldPath);
  const target = bytes && lineEndOf(fromBytes(bytes));
  if (target === undefined || body.hunks.every((hunk) => (lineEndOf(hunk.body) ?? target) === target)) return section;
  if (body.hunks.some((hunk) => lineEndOf(hunk.body) === undefined)) return section;
  const hunks: Hunk[] = body.hunks.map((hunk) => ({
    ...hunk,
    body: convertBody(hunk.body, target === "crlf"),
  }));
  return { ...section, body: { kind: "hunks", hunks } };
}

/** Headers with LF, and content lines with the line end of their file. Files with mixed line ends are not changed. */
export const fitLineEnds = (patch: Patch, tree: TreeReader): Patch => ({
  ...patch,
  eol: "\n",
  sections: patch.sections.map((section) => fitSection(section, tree)),
});

interface Mended {
  readonly bytes: Uint8Array;
  readonly mended: readonly Mending[];
}

/** Makes each repair that is needed, in order. The result may still be refused: judge it. */
export function mendPatch(input: Uint8Array | string, tree?: TreeReader): Mended {
  const mended: Mending[] = [];
  let text = byteString(input);
  const step = (name: Mending, next: string | undefined) => {
    if (next === undefined || next === text) return;
    mended.push(name);
    text = next;
  };
  step("final_newline", ensureFinalNewline(text));
  step("header_line_ends", plainLineEnds(text));
  step("file_mode", addFileModes(text));
  if (readText(text).problems.some(({ reason }) => reason === "hunk_count_mismatch"))
    step("hunk_counts", recountHunks(text));
  const reading = readText(text);
  if (tree && reading.problems.length === 0) step("line_ends", printText(fitLineEnds(reading.patch, tree)));
  return { bytes: toBytes(text), mended };
}
