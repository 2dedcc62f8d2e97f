// The contract's score of a fenced block (T-12), and what a block looks like.

const header = /(?:^|\n)diff --git /;
const numericHunk = /(?:^|\n)@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;
const fileLines = /(?:^|\n)--- [^\n]+\n\+\+\+ /;

/** +5 a `diff --git` line, +3 a hunk with numbers, +2 starts with `diff --git`, +1 longer than 200 characters. */
export function scoreBlock(text: string): number {
  return (
    (header.test(text) ? 5 : 0) +
    (numericHunk.test(text) ? 3 : 0) +
    (text.startsWith("diff --git") ? 2 : 0) +
    (text.length > 200 ? 1 : 0)
  );
}

export const hasNumericHunk = (text: string): boolean => numericHunk.test(text);

/** Fences between the start and the header: the block quotes a document that has a diff in it. */
const fence = /(?:^|\n)[ \t]{0,3}(?:```|~~~)/;

/** `diff`: it has a header. `headless`: it has the lines of a diff and no header that git would see. */
export function diffShape(text: string): "diff" | "headless" | "other" {
  const at = text.search(header);
  if (at === -1) return fileLines.test(text) || numericHunk.test(text) ? "headless" : "other";
  return fence.test(text.slice(0, at)) ? "other" : "diff";
}
