// Unified diffs as models write them: without `diff --git`, without ---/+++, without line numbers, with `Index:` lines.
import type { Name } from "../model.ts";
import { looksExtended } from "../read/extended.ts";
import { readHunkHeader } from "../read/hunk.ts";
import { readFileLine, readHeaderNames, readLineName } from "../read/name.ts";
import { refuse, shown, type Chunk, type FileChange, type Refusal } from "./proposal.ts";
import { fileLines, printPath } from "./write.ts";

interface LooseHunk {
  readonly head: string;
  readonly numbered: boolean;
  readonly body: readonly string[];
}

interface LooseFile {
  readonly git: string | null;
  readonly extended: string[];
  files: { readonly old: string; readonly new: string } | null;
  readonly hunks: LooseHunk[];
}

const gitHeader = "diff --git ";

export const startsFiles = (lines: readonly string[], at: number): boolean =>
  (lines[at] ?? "").startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ ");

/** Whether a unified diff starts at this line. */
export const startsUnified = (lines: readonly string[], at: number): boolean =>
  (lines[at] ?? "").startsWith(gitHeader) || startsFiles(lines, at);

const isChange = (line: string): boolean => line === "" || /^[ +\-\\]/.test(line);

/** The line after the counted lines of a hunk; undefined when its lines do not agree with its numbers. */
function countedEnd(lines: readonly string[], at: number, old: number, added: number): number | undefined {
  let [older, newer, end] = [old, added, at];
  for (; older > 0 || newer > 0; end++) {
    const line = lines[end];
    if (line === undefined || !isChange(line)) return undefined;
    if (!line.startsWith("+") && !line.startsWith("\\")) older--;
    if (!line.startsWith("-") && !line.startsWith("\\")) newer--;
    if (older < 0 || newer < 0) return undefined;
  }
  return (lines[end] ?? "").startsWith("\\ ") ? end + 1 : end;
}

/** The line after a hunk without usable numbers: the next header, or the first line that is no change. */
function looseEnd(lines: readonly string[], at: number): number {
  let end = at;
  while (end < lines.length && isChange(lines[end] ?? "") && !startsFiles(lines, end)) end++;
  while (end > at && lines[end - 1] === "") end--;
  return end;
}

function readHunk(lines: readonly string[], at: number): { readonly hunk: LooseHunk; readonly next: number } {
  const head = lines[at] ?? "";
  const numbers = readHunkHeader(head);
  const counted = numbers && countedEnd(lines, at + 1, numbers.old.count, numbers.new.count);
  const next = counted ?? looseEnd(lines, at + 1);
  return { hunk: { head, numbered: numbers !== undefined, body: lines.slice(at + 1, next) }, next };
}

const preface = /^(?:Index: .*|={10,}|diff -[^-].*|)$/;

/** Reads files from line `at` on, and the line after the last one. A line that belongs to no file ends it. */
export function readLoose(lines: readonly string[], from: number): { files: LooseFile[]; next: number } {
  const files: LooseFile[] = [];
  let next = from;
  for (let at = from; at < lines.length;) {
    const line = lines[at] ?? "";
    const file = files.at(-1);
    if (line.startsWith(gitHeader)) {
      files.push({ git: line.slice(gitHeader.length), extended: [], files: null, hunks: [] });
      at += 1;
    } else if (startsFiles(lines, at)) {
      const pair = { old: line.slice(4), new: (lines[at + 1] ?? "").slice(4) };
      if (file && file.files === null && file.hunks.length === 0) file.files = pair;
      else files.push({ git: null, extended: [], files: pair, hunks: [] });
      at += 2;
    } else if (file && line.startsWith("@@")) {
      const read = readHunk(lines, at);
      file.hunks.push(read.hunk);
      at = read.next;
    } else if (file?.git !== null && file?.hunks.length === 0 && looksExtended(line)) {
      file.extended.push(line);
      at += 1;
    } else if (preface.test(line)) {
      at += 1;
      continue;
    } else break;
    next = at;
  }
  return { files, next };
}

/** A time stamp or a revision behind a name. */
const stamp = /[ \t]+(?:\d{4}-\d\d-\d\d[ T].*|\((?:revision \d+|working copy|nonexistent)\))[ \t]*$/;

const nameIn = (text: string): Name | null | undefined => readFileLine(text.replace(stamp, ""))?.name;

const whole = ({ prefix, bytes }: Name): string => prefix + bytes;

interface Names {
  readonly old: string | null;
  readonly new: string | null;
}

/** The names of ---/+++: with `a/` and `b/`, or without. */
function namesOfFiles({ old, new: newer }: { readonly old: string; readonly new: string }): Names | Refusal {
  const one = nameIn(old);
  const two = nameIn(newer);
  if (one === undefined || two === undefined || (one === null && two === null))
    return refuse("header_mismatch", `The lines "--- ${old.slice(0, 60)}" and "+++" name no file`);
  if (one === null) return { old: null, new: two?.prefix === "b/" ? two.bytes : whole(two ?? nameless) };
  if (two === null) return { old: one.prefix === "a/" ? one.bytes : whole(one), new: null };
  if (whole(one) === whole(two)) return { old: whole(one), new: whole(two) };
  if (one.bytes === two.bytes) return { old: one.bytes, new: two.bytes };
  return refuse("header_mismatch", `"---" names ${shown(whole(one))} and "+++" names ${shown(whole(two))}`);
}

const nameless: Name = { prefix: "", bytes: "", path: "", quoting: "bare" };

const extendedName = (lines: readonly string[], prefix: string): string | undefined => {
  const line = lines.find((text) => text.startsWith(prefix));
  return line === undefined ? undefined : readLineName(line.slice(prefix.length))?.bytes;
};

function namesOf({ git, files, extended }: LooseFile): Names | Refusal {
  if (git === null) return files === null ? refuse("no_diff_header", "A hunk names no file") : namesOfFiles(files);
  const from = extendedName(extended, "rename from ");
  const to = extendedName(extended, "rename to ");
  const read = readHeaderNames(git, from !== undefined && to !== undefined ? { from, to } : undefined);
  if (!read) return refuse("header_mismatch", `"diff --git ${git.slice(0, 60)}" does not name two files`);
  const created = extended.some((line) => line.startsWith("new file mode")) || files?.old === "/dev/null";
  const deleted = extended.some((line) => line.startsWith("deleted file mode")) || files?.new === "/dev/null";
  const { old, new: newer } = read.names;
  if (files && !(isNameOf(files.old, old) && isNameOf(files.new, newer)))
    return refuse("header_mismatch", `"diff --git ${git.slice(0, 60)}" and the lines "---" and "+++" name other files`);
  return { old: created ? null : old.bytes, new: deleted ? null : newer.bytes };
}

/** Whether a line `---` or `+++` names this file, or none. */
function isNameOf(text: string, wanted: Name): boolean {
  const name = nameIn(text);
  return name === null || (name !== undefined && (name.bytes === wanted.bytes || whole(name) === wanted.bytes));
}

const modeLines = (extended: readonly string[], names: Names): string[] => {
  if (names.old === null && !extended.some((line) => line.startsWith("new file mode"))) return ["new file mode 100644"];
  if (names.new === null && !extended.some((line) => line.startsWith("deleted file mode")))
    return ["deleted file mode 100644"];
  return [];
};

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** The header, the extended lines and ---/+++ as git writes them, and the hunks as they are. */
function section({ extended, hunks }: LooseFile, names: Names): string {
  const [older, newer] = [names.old ?? names.new ?? "", names.new ?? names.old ?? ""];
  const head = `${gitHeader}${printPath("a/", older)} ${printPath("b/", newer)}\n`;
  // Blob ids are the model's invention where the header is.
  const kept = extended.filter((line) => !line.startsWith("index "));
  const body = hunks.map(({ head: line, body: lines }) => text([line, ...lines])).join("");
  const named = hunks.length > 0 ? fileLines(names.old, names.new) : "";
  return head + text([...modeLines(extended, names), ...kept]) + named + body;
}

function chunkOf({ head, body }: LooseHunk): Chunk {
  const anchor = head
    .replace(/^@@[ \t]*/, "")
    .replace(/[ \t]*@@$/, "")
    .replace(/^@@[ \t]*/, "");
  const lines = body
    .filter((line) => !line.startsWith("\\"))
    .map((line) => ({ mark: (line[0] ?? " ") as " " | "+" | "-", text: line.slice(1) }));
  return { anchors: /^[.…\s]*$/.test(anchor) ? [] : [anchor], lines, atEnd: false };
}

export interface UnifiedChanges {
  readonly changes: readonly FileChange[];
  /** Some hunks had no line numbers. */
  readonly unnumbered: boolean;
}

function toChange(file: LooseFile): FileChange | Refusal {
  const names = namesOf(file);
  if ("reason" in names) return names;
  const path = names.old ?? names.new ?? "";
  if (file.hunks.every(({ numbered }) => numbered)) return { kind: "section", path, text: section(file, names) };
  const odd = file.hunks.find(({ head, numbered }) => !numbered && /^@@+ -\d/.test(head));
  if (odd) return refuse("hunk_header_malformed", `${shown(odd.head)} is not a hunk header with line numbers`);
  const moveTo = names.new === names.old ? null : names.new;
  if (names.old === null && file.hunks.every(({ body }) => body.every((line) => line.startsWith("+"))))
    return { kind: "add", path, lines: file.hunks.flatMap(({ body }) => body.map((line) => line.slice(1))) };
  if (names.old === null || names.new === null || file.extended.some((line) => /^(?:old|new) mode /.test(line)))
    return refuse("hunk_header_malformed", `${shown(path)}: a hunk has no line numbers`);
  return { kind: "update", path, moveTo, parts: [file.hunks.map(chunkOf)] };
}

/** All lines must belong to the diff. */
export function readUnified(lines: readonly string[]): UnifiedChanges | Refusal {
  const { files, next } = readLoose(lines, 0);
  const rest = lines.slice(next).find((line) => line.trim() !== "");
  if (rest !== undefined) return refuse("patch_malformed", `The line ${shown(rest)} is not part of a diff`);
  const changes: FileChange[] = [];
  for (const file of files) {
    const change = toChange(file);
    if ("reason" in change) return change;
    changes.push(change);
  }
  return { changes, unnumbered: changes.some(({ kind }) => kind !== "section") };
}
