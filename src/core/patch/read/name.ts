// File names in headers: read bare or quoted, separated from their `a/` or `b/`, printed as they were read.
import { decodeUtf8 } from "../bytes.ts";
import type { FileLine, Name } from "../model.ts";
import { needsQuotes, quote, readQuoted } from "../quote.ts";
import type { Cursor } from "./cursor.ts";

/** `a/` and `b/`, and git's mnemonic ones: commit, index, work tree, object. */
const prefixed = /^[abciow]\//;

function makeName(bytes: string, quoting: Name["quoting"], withPrefix: boolean): Name {
  const prefix = withPrefix && prefixed.test(bytes) ? bytes.slice(0, 2) : "";
  const rest = bytes.slice(prefix.length);
  return { prefix, bytes: rest, path: decodeUtf8(rest), quoting };
}

export function printName(name: Name): string {
  const bytes = name.prefix + name.bytes;
  return name.quoting === "bare" ? bytes : quote(bytes, name.quoting);
}

interface Read {
  readonly name: Name;
  readonly rest: string;
}

/** A quoted name at the start of `text`, with the quoting that prints it unchanged, if one does. */
function readQuotedName(text: string, withPrefix: boolean): Read | undefined {
  const quoted = readQuoted(text, 0);
  if (!quoted) return undefined;
  const raw = text.slice(0, quoted.end);
  const quoting = quote(quoted.bytes, "raw") === raw ? "raw" : "octal";
  return { name: makeName(quoted.bytes, quoting, withPrefix), rest: text.slice(quoted.end) };
}

/** Records a name for the path checks, and a problem if git would quote it differently. */
export function noteName(cursor: Cursor, name: Name, raw: string, where: string, line: number): void {
  cursor.names.push({ name, where, line });
  const plain = name.quoting === "bare" ? !needsQuotes(name.bytes) : printName(name) === raw;
  if (!plain) {
    cursor.problem("path_not_canonical", `The path in ${where} is not quoted as git quotes it`, {
      line,
      path: name.path,
    });
  }
}

/** A name that is the rest of its line, as after `rename from`. */
export function readLineName(text: string): Name | undefined {
  if (!text.startsWith('"')) return text === "" ? undefined : makeName(text, "bare", false);
  const read = readQuotedName(text, false);
  return read?.rest === "" ? read.name : undefined;
}

/** The name after `--- ` or `+++ `: git ends a bare name at a tab. */
export function readFileLine(text: string): FileLine | undefined {
  if (text.startsWith('"')) {
    const read = readQuotedName(text, true);
    return read && (read.rest === "" || read.rest.startsWith("\t")) ? { name: read.name, tail: read.rest } : undefined;
  }
  const tab = text.indexOf("\t");
  const bytes = tab === -1 ? text : text.slice(0, tab);
  const tail = tab === -1 ? "" : text.slice(tab);
  if (bytes === "") return undefined;
  return { name: bytes === "/dev/null" ? null : makeName(bytes, "bare", true), tail };
}

export interface HeaderNames {
  readonly old: Name;
  readonly new: Name;
}

function splitBare(text: string, renamed: { from: string; to: string } | undefined): number {
  if (renamed) {
    const at = text.length - renamed.to.length - 3;
    if (at > 0 && text[at] === " " && text.endsWith(renamed.to) && text.slice(2, at) === renamed.from) return at;
  }
  const middle = (text.length - 1) / 2;
  if (Number.isInteger(middle) && text[middle] === " ") {
    if (text.slice(0, middle).replace(prefixed, "") === text.slice(middle + 1).replace(prefixed, "")) return middle;
  }
  const guess = text.search(/ [abciow]\//);
  return guess === -1 ? text.indexOf(" ") : guess;
}

/** The two names after `diff --git `. Bare names may contain spaces: equal halves or the rename lines show where to split. */
export function readHeaderNames(
  text: string,
  renamed: { from: string; to: string } | undefined,
): { names: HeaderNames; raw: { old: string; new: string } } | undefined {
  let cut: number;
  if (text.startsWith('"')) {
    const first = readQuoted(text, 0);
    if (!first) return undefined;
    cut = first.end;
  } else cut = text.endsWith('"') ? text.indexOf(' "') : splitBare(text, renamed);
  if (cut <= 0 || text[cut] !== " ") return undefined;
  const raw = { old: text.slice(0, cut), new: text.slice(cut + 1) };
  const [older, newer] = [raw.old, raw.new].map((part) => {
    if (!part.startsWith('"')) return part === "" ? undefined : makeName(part, "bare", true);
    const read = readQuotedName(part, true);
    return read?.rest === "" ? read.name : undefined;
  });
  return older && newer ? { names: { old: older, new: newer }, raw } : undefined;
}
