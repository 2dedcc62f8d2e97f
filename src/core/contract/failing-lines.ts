// The few lines of a long output that show what failed. They are displayed and never evaluated.

/** How test runners and compilers begin the report of a failure: its details, else an error, else the name of a test. */
const beginnings = [
  /^\s*(?:not ok \d|✖ failing tests:|\d+ failing$|--- FAIL|=+ FAILURES|-+ .+ stdout -+$|⎯+ Failed Tests|● )/,
  /^\s*(?:\w*(?:Error|Exception)\b|E {2,}|error(?:\[\w+\])?:|thread '.*' panicked|(?:FAIL|ERROR): )/,
  /^\s*(?:[✖✗✕×] |FAIL(?:ED)?\b)/,
];

/** Blank lines, and stack frames inside Node itself. */
const empty = /^\s*$|^\s+at .*[( ]node:/;

/** The lines from the first that reports a failure, and the last 3; only the end where no such line is found. */
export function failingLines(output: string, most = 15): readonly string[] {
  const lines = output.split("\n").filter((line) => !empty.test(line));
  const first = beginnings
    .map((beginning) => lines.findIndex((line) => beginning.test(line)))
    .find((found) => found >= 0);
  if (first === undefined) return lines.slice(-most);
  // Details begin with their own heading; an error or a name is clearer with the lines before it.
  if (first >= lines.length - most) return lines.slice(beginnings[0]?.test(lines[first] ?? "") ? first : -most);
  const ending = 3;
  return [...lines.slice(first, first + most - ending - 1), "…", ...lines.slice(-ending)];
}
