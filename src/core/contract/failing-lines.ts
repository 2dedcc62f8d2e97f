// The few lines of a long output that tell a person what failed. They are shown and never judged.

/** How test runners and compilers begin to tell about a failure: its details, else an error, else the name of a test. */
const beginnings = [
  /^\s*(?:not ok \d|✖ failing tests:|\d+ failing$|--- FAIL|=+ FAILURES|-+ .+ stdout -+$|⎯+ Failed Tests|● )/,
  /^\s*(?:\w*(?:Error|Exception)\b|E {2,}|error(?:\[\w+\])?:|thread '.*' panicked|(?:FAIL|ERROR): )/,
  /^\s*(?:[✖✗✕×] |FAIL(?:ED)?\b)/,
];

/** Blank lines, and places inside Node itself. */
const empty = /^\s*$|^\s+at .*[( ]node:/;

/** From the first line that tells of a failure, with the end; only the end where no line is known to tell. */
export function failingLines(output: string, most = 15): readonly string[] {
  const lines = output.split("\n").filter((line) => !empty.test(line));
  const first = beginnings
    .map((beginning) => lines.findIndex((line) => beginning.test(line)))
    .find((found) => found >= 0);
  if (first === undefined) return lines.slice(-most);
  // Details begin with their own heading; an error or a name is better told with the lines before it.
  if (first >= lines.length - most)
    return lines.slice(beginnings[0]?.test(lines[first] ?? "") ? first : -most);
  const ending = 3;
  return [...lines.slice(first, first + most - ending - 1), "…", ...lines.slice(-ending)];
}
