// Extended headers, the lines between `diff --git` and the content: modes, similarity, rename and copy names, blob ids.
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

const prefixes = new Map<string, string>();
for (const table of [modeLines, percentLines, nameLines]) {
  for (const [prefix, kind] of Object.entries(table)) prefixes.set(kind, prefix);
}

const find = <T extends object>(table: T, line: string): (keyof T & string) | undefined =>
  (Object.keys(table) as (keyof T & string)[]).find((prefix) => line.startsWith(prefix));

/** Whether git reads the line as an extended header (also the two old spellings of renames). */
export const looksExtended = (line: string): boolean =>
  /^(?:(?:old|new|new file|deleted file) mode \d|(?:dis)?similarity index \d|rename (?:from|to|old|new) |copy (?:from|to) |index [0-9a-f]+\.\.)/.test(
    line,
  );

/** Reads one extended header line. Undefined for any other line; "bad", with a problem recorded, for an invalid one. */
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
      line.slice(prefixes.get(header.kind)?.length),
      prefixes.get(header.kind)?.trim() ?? "",
      at,
    );
  }
  return header;
}

type Bad = { problem: "mode_invalid" | "patch_malformed" | "path_not_canonical" };

function parse(line: string): ExtendedHeader | Bad | undefined {
  const modePrefix = find(modeLines, line);
  if (modePrefix) {
    const mode = line.slice(modePrefix.length);
    return /^[0-7]{6}$/.test(mode) ? { kind: modeLines[modePrefix], mode } : { problem: "mode_invalid" };
  }
  const percentPrefix = find(percentLines, line);
  if (percentPrefix) {
    const text = line.slice(percentPrefix.length);
    return /^(?:100|[1-9]?\d)%$/.test(text)
      ? { kind: percentLines[percentPrefix], percent: Number.parseInt(text, 10) }
      : { problem: "patch_malformed" };
  }
  const namePrefix = find(nameLines, line);
  if (namePrefix) {
    const name = readLineName(line.slice(namePrefix.length));
    return name ? { kind: nameLines[namePrefix], name } : { problem: "path_not_canonical" };
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
  const prefix = prefixes.get(header.kind) ?? "";
  if ("mode" in header) return prefix + header.mode;
  return "percent" in header ? `${prefix}${header.percent}%` : prefix + printName(header.name);
}
