// The lines between `diff --git` and the content: modes, similarity, rename and copy names, blob ids.
import type { ExtendedHeader } from "../model.ts";
import type { Cursor } from "./cursor.ts";
import { noteName, printName, readLineName } from "./name.ts";

const modeLines = {
  "old mode ": "oldMode",
  "new mode ": "newMode",
  "new file mode ": "newFile",
  "deleted file mode ": "deletedFile",
} as const;
const percentLines = { "similarity index ": "similarity", "dissimilarity index ": "dissimilarity" } as const;
const nameLines = {
  "rename from ": "renameFrom",
  "rename to ": "renameTo",
  "copy from ": "copyFrom",
  "copy to ": "copyTo",
} as const;

const words = new Map<string, string>();
for (const table of [modeLines, percentLines, nameLines]) {
  for (const [word, kind] of Object.entries(table)) words.set(kind, word);
}

const find = <T extends object>(table: T, line: string): (keyof T & string) | undefined =>
  (Object.keys(table) as (keyof T & string)[]).find((word) => line.startsWith(word));

/** True for a line that git reads as an extended header (also the two old spellings of renames). */
export const looksExtended = (line: string): boolean =>
  /^(?:(?:old|new|new file|deleted file) mode \d|(?:dis)?similarity index \d|rename (?:from|to|old|new) |copy (?:from|to) |index [0-9a-f]+\.\.)/.test(
    line,
  );

/** Reads one extended header line. Undefined when the line is none, "bad" (and a problem noted) when it tries to be one. */
export function readExtended(cursor: Cursor): ExtendedHeader | "bad" | undefined {
  const line = cursor.peek();
  const at = cursor.line;
  const header = parse(line);
  if (header === undefined) return undefined;
  cursor.take();
  if ("problem" in header) {
    cursor.problem(header.problem, `Header line "${line.slice(0, 80)}" cannot be read`, { line: at });
    return "bad";
  }
  if ("name" in header) {
    noteName(
      cursor,
      header.name,
      line.slice(words.get(header.kind)?.length),
      words.get(header.kind)?.trim() ?? "",
      at,
    );
  }
  return header;
}

type Bad = { problem: "mode_invalid" | "patch_malformed" | "path_not_canonical" };

function parse(line: string): ExtendedHeader | Bad | undefined {
  const modeWord = find(modeLines, line);
  if (modeWord) {
    const mode = line.slice(modeWord.length);
    return /^[0-7]{6}$/.test(mode) ? { kind: modeLines[modeWord], mode } : { problem: "mode_invalid" };
  }
  const percentWord = find(percentLines, line);
  if (percentWord) {
    const text = line.slice(percentWord.length);
    return /^(?:100|[1-9]?\d)%$/.test(text)
      ? { kind: percentLines[percentWord], percent: Number.parseInt(text, 10) }
      : { problem: "patch_malformed" };
  }
  const nameWord = find(nameLines, line);
  if (nameWord) {
    const name = readLineName(line.slice(nameWord.length));
    return name ? { kind: nameLines[nameWord], name } : { problem: "path_not_canonical" };
  }
  if (!line.startsWith("index ")) return looksExtended(line) ? { problem: "patch_malformed" } : undefined;
  const ids = /^index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: (\d+))?$/.exec(line);
  if (!ids) return { problem: "patch_malformed" };
  const [, from = "", to = "", mode] = ids;
  if (mode === undefined) return { kind: "index", from, to };
  return /^[0-7]{6}$/.test(mode) ? { kind: "index", from, to, mode } : { problem: "mode_invalid" };
}

export function printExtended(header: ExtendedHeader): string {
  if (header.kind === "index") {
    return `index ${header.from}..${header.to}${header.mode === undefined ? "" : ` ${header.mode}`}`;
  }
  const word = words.get(header.kind) ?? "";
  if ("mode" in header) return word + header.mode;
  return "percent" in header ? `${word}${header.percent}%` : word + printName(header.name);
}
