// Reads one `diff --git` section, from its header line to the end of its content: hunks, binary data, or neither.
import type { BinaryPart, SectionBody, ExtendedHeader, FileLine, Hunk, Section } from "../model.ts";
import { decodeLine } from "../binary/binary.ts";
import type { Cursor } from "./cursor.ts";
import { readExtended } from "./extended.ts";
import { readHunkBody, readHunkHeader } from "./hunk.ts";
import { noteName, readFileLine, readHeaderNames, type HeaderNames } from "./name.ts";
import { settle } from "./settle.ts";

function readPart(cursor: Cursor): BinaryPart | undefined {
  const match = /^(literal|delta) (0|[1-9]\d{0,9})$/.exec(cursor.peek());
  if (!match) return undefined;
  cursor.take();
  const start = cursor.at;
  while (!cursor.done && cursor.peek() !== "") {
    if (!decodeLine(cursor.peek())) return undefined;
    cursor.take();
  }
  const data = cursor.text.slice(start, cursor.at);
  if (data === "" || cursor.done) return undefined;
  cursor.take();
  return { method: match[1] === "delta" ? "delta" : "literal", size: Number(match[2]), data };
}

/** Reads the data after the line `GIT binary patch`. */
export function readBinary(cursor: Cursor): SectionBody {
  const forward = readPart(cursor);
  if (!forward) {
    cursor.problem("patch_malformed", "The data of a binary patch cannot be read");
    return { kind: "none" };
  }
  if (!cursor.starts("literal ") && !cursor.starts("delta ")) return { kind: "binary", forward };
  const reverse = readPart(cursor);
  if (reverse) return { kind: "binary", forward, reverse };
  cursor.problem("patch_malformed", "The reverse data of a binary patch cannot be read");
  return { kind: "binary", forward };
}

export function readFiles(cursor: Cursor): { old: FileLine; new: FileLine } | undefined {
  const read = (mark: string): FileLine | undefined => {
    const at = cursor.line;
    const text = cursor.take().slice(4);
    const line = readFileLine(text);
    if (!line) cursor.problem("header_mismatch", `The line "${mark} …" names no file`, { line: at });
    else if (line.name) noteName(cursor, line.name, text.slice(0, text.length - line.tail.length), mark, at);
    return line;
  };
  const older = read("---");
  const newer = read("+++");
  return older && newer ? { old: older, new: newer } : undefined;
}

/** Reads consecutive hunks. Stops at the first one that cannot be read. */
function readHunks(cursor: Cursor): Hunk[] {
  const hunks: Hunk[] = [];
  while (cursor.starts("@@")) {
    const line = cursor.line;
    const text = cursor.peek();
    const head = readHunkHeader(text);
    if (!head) {
      const combined = text.startsWith("@@@");
      if (combined) cursor.problem("combined_diff", "A combined diff (@@@) cannot be applied");
      else cursor.problem("hunk_header_malformed", `"${text.slice(0, 60)}" is not a hunk header with line numbers`);
      return hunks;
    }
    cursor.take();
    const body = readHunkBody(cursor, head);
    if (body === undefined) return hunks;
    hunks.push({ ...head, body, line });
    cursor.hunks += 1;
    if (cursor.hunks > cursor.limits.hunks) cursor.tooLarge(`More than ${cursor.limits.hunks} hunks`);
  }
  return hunks;
}

function readBody(cursor: Cursor, files: boolean): SectionBody {
  if (files) {
    const known = cursor.problems.length;
    const hunks = readHunks(cursor);
    if (hunks.length === 0 && cursor.problems.length === known) {
      cursor.problem("hunk_header_malformed", "Behind ---/+++ a hunk header with line numbers is missing");
    }
    return { kind: "hunks", hunks };
  }
  if (cursor.peek() === "GIT binary patch") {
    cursor.take();
    return readBinary(cursor);
  }
  if (/^Binary files .* differ$/.test(cursor.peek())) return { kind: "binary-notice", text: cursor.take() };
  return { kind: "none" };
}

function readHeader(cursor: Cursor, text: string, extended: readonly ExtendedHeader[], line: number): HeaderNames {
  const nameOf = (kinds: readonly string[]) => {
    const found = extended.find((item) => kinds.includes(item.kind));
    return found && "name" in found ? found.name.bytes : undefined;
  };
  const from = nameOf(["renameFrom", "copyFrom"]);
  const to = nameOf(["renameTo", "copyTo"]);
  const read = readHeaderNames(text, from !== undefined && to !== undefined ? { from, to } : undefined);
  if (!read) {
    cursor.problem("header_mismatch", `"diff --git ${text.slice(0, 60)}" does not name two files`, { line });
    const nameless = { prefix: "", bytes: "", path: "", quoting: "bare" } as const;
    return { old: nameless, new: nameless };
  }
  noteName(cursor, read.names.old, read.raw.old, "diff --git", line);
  noteName(cursor, read.names.new, read.raw.new, "diff --git", line);
  return read.names;
}

/** There are 11 kinds of extended headers, and each may occur once. */
const mostHeaders = 32;

export const headerPrefix = "diff --git ";

/** Reads the section that starts at the cursor. A part that cannot be read becomes a problem; its names are recorded. */
export function readSection(cursor: Cursor, before: string): Section {
  const line = cursor.line;
  const text = cursor.take().slice(headerPrefix.length);
  const extended: ExtendedHeader[] = [];
  for (;;) {
    const item = readExtended(cursor);
    if (!item) break;
    if (item !== "bad") extended.push(item);
    if (extended.length > mostHeaders) {
      cursor.problem("patch_malformed", "A section has more header lines than there are kinds of them");
      cursor.stop();
    }
  }
  const header = readHeader(cursor, text, extended, line);
  const named = cursor.starts("--- ") && cursor.nextLineStarts("+++ ");
  const files = named ? (readFiles(cursor) ?? null) : null;
  return settle(cursor, { line, before, header, extended, files, body: readBody(cursor, named) });
}
