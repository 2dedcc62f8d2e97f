// A change as short text: every changed line, one line around it, and of each file's header what says something. Lines of a
// hunk are counted, so that no content is taken for a header.

const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Header lines that repeat the name of the file or name its hashes. */
const repeats = /^(?:diff --git |index [0-9a-f]+\.\.|--- )/;

const isChange = (row: string | undefined): boolean => row !== undefined && !row.startsWith(" ") && row !== "";

/** A remark such as a missing end of line belongs to the line before it. */
const near = (rows: readonly string[]): readonly string[] =>
  rows.filter((row, at) => isChange(row) || isChange(rows[at - 1]) || isChange(rows[at + 1]));

/** The number of rows of the hunk whose counts are given, from `at` on. */
function rowsOf(lines: readonly string[], at: number, old: number, fresh: number): number {
  let [before, after, end] = [old, fresh, at];
  for (; end < lines.length && (before > 0 || after > 0 || lines[end]?.startsWith("\\")); end += 1) {
    const kind = lines[end]?.[0] ?? " ";
    if (kind === "-" || kind === " ") before -= 1;
    if (kind === "+" || kind === " ") after -= 1;
  }
  return end - at;
}

/** The header of a file whose content is shown has its name in `+++`; any other header stays whole. */
function headerOf(header: readonly string[], shown: boolean): readonly string[] {
  const named = shown && header.some((row) => row.startsWith("+++ ") && row !== "+++ /dev/null");
  return named ? header.filter((row) => !repeats.test(row)) : header;
}

export function shortPatch(patch: string): string {
  const lines = patch.replace(/\n$/, "").split("\n");
  const short: string[] = [];
  let header: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const counts = hunkHead.exec(line);
    if (!counts) {
      if (line.startsWith("diff --git ")) {
        short.push(...headerOf(header, false));
        header = [];
      }
      header.push(line);
      continue;
    }
    const rows = rowsOf(lines, at + 1, Number(counts[1] ?? 1), Number(counts[2] ?? 1));
    short.push(...headerOf(header, true), line, ...near(lines.slice(at + 1, at + 1 + rows)));
    header = [];
    at += rows;
  }
  return [...short, ...headerOf(header, false)].join("\n");
}
