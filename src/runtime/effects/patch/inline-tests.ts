// Tests that live in the file they test, as Rust's do, or in documentation. Their path does not show it, so the changed lines are
// looked at.
import type { Hunk, Section, TreeReader } from "../../../core/patch/index.ts";
import type { TextPort } from "../../engine/index.ts";

/** Begins a part of a file that only tests see. */
const begins = /^[ \t]*#!?\[(?:cfg\((?:all\()?test\b|(?:\w+::)*test\b|rstest\b|test_case\b|quickcheck\b)/;

/** Files whose own tests the patch changes: removes, silences, or rewrites. New tests in a file that had none are welcome. */
export function changedInlineTests(sections: readonly Section[], tree: TreeReader, text: TextPort): string[] {
  const read = (path: string): string => {
    const bytes = tree.content(path);
    return bytes ? text.decode(bytes) : "";
  };
  const doctests = pythonConfigs.some((path) => /doctest/.test(read(path)));
  const found = sections.filter(({ oldPath, body }) => {
    if (oldPath === null || body.kind !== "hunks") return false;
    const mark = marksOf(oldPath, doctests);
    const lines = mark.length > 0 ? read(oldPath).split("\n") : [];
    return mark.some((markLines) => {
      const parts = markLines(lines);
      return parts.some(Boolean) && body.hunks.some((hunk) => touches(hunk, parts));
    });
  });
  return found.flatMap(({ oldPath }) => oldPath ?? []);
}

/** Where Python projects say that examples in documentation are run. */
const pythonConfigs = ["pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", "Makefile", "conftest.py", "noxfile.py"];

type MarkLines = (lines: readonly string[]) => boolean[];

function marksOf(path: string, doctests: boolean): readonly MarkLines[] {
  if (path.endsWith(".rs")) return [testLines, rustExamples];
  if (doctests && /\.(?:py|pyi|md|rst|txt)$/.test(path)) return [pythonExamples];
  return [];
}

/** Code between the fences of a doc comment; cargo runs it as a test. */
function rustExamples(lines: readonly string[]): boolean[] {
  let open = false;
  return lines.map((line) => {
    const doc = /^\s*\/\/[/!](.*)$/.exec(line)?.[1];
    if (doc === undefined) return (open = false);
    if (!/^\s*(?:```|~~~)/.test(doc)) return open;
    open = !open && !/ignore|text|no_run/.test(doc);
    return true;
  });
}

/** An example begins with `>>>`, and what it is to print follows up to an empty line. */
function pythonExamples(lines: readonly string[]): boolean[] {
  let open = false;
  return lines.map((line) => {
    if (/^\s*>>> /.test(line)) return (open = true);
    open = open && line.trim() !== "" && !/^\s*(?:"""|''')/.test(line);
    return open;
  });
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
  return inside;
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
