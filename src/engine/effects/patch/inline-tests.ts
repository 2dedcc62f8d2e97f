// Tests that live in the file they test, as Rust's do: no path tells them, so the changed lines are looked at.
import type { Hunk, Section, TreeReader } from "../../../patch/index.ts";
import type { TextPort } from "../ports.ts";

/** Begins a part of a file that only tests see. */
const begins = /^[ \t]*#!?\[(?:cfg\((?:all\()?test\b|(?:\w+::)*test\b|rstest\b|test_case\b|quickcheck\b)/;

/** Files whose own tests the patch changes: removes, silences, or rewrites. New tests in a file that had none are welcome. */
export function changedInlineTests(sections: readonly Section[], tree: TreeReader, text: TextPort): string[] {
  const found = sections.filter(({ oldPath, body }) => {
    if (oldPath === null || !oldPath.endsWith(".rs") || body.kind !== "hunks") return false;
    const bytes = tree.content(oldPath);
    const parts = bytes ? testLines(text.decode(bytes).split("\n")) : [];
    return parts.length > 0 && body.hunks.some((hunk) => touches(hunk, parts));
  });
  return found.flatMap(({ oldPath }) => oldPath ?? []);
}

/** For each line whether it belongs to a test: from its attribute to the end of the braces that follow. */
function testLines(lines: readonly string[]): boolean[] {
  const inside: boolean[] = [];
  let depth = 0;
  let open = false;
  let waiting = false;
  for (const line of lines) {
    if (!open && !waiting && begins.test(line)) waiting = true;
    inside.push(open || waiting);
    if (!open && !waiting) continue;
    const bare = line.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|\/\/.*$/g, "");
    for (const char of bare)
      if (char === "{") {
        depth += 1;
        open = true;
        waiting = false;
      } else if (char === "}") depth -= 1;
    if (open && depth <= 0) open = false;
    if (!open && /;\s*$/.test(bare)) waiting = false;
    if (!open) depth = 0;
  }
  return inside.some(Boolean) ? inside : [];
}

/** Whether a hunk removes a line of a test, or puts one between two of them. */
function touches(hunk: Hunk, inTest: readonly boolean[]): boolean {
  let at = hunk.old.start;
  for (const line of hunk.body.split("\n")) {
    const here = inTest[at - 1] === true;
    if (line.startsWith("-") && here) return true;
    if (line.startsWith("+") && here && inTest[at - 2] === true) return true;
    if (line.startsWith("-") || line.startsWith(" ")) at += 1;
  }
  return false;
}
