// Patches as rows for a reader.
import { describe, expect, it } from "vitest";
import { showPatch } from "../index.ts";
import { wordMarks } from "./show.ts";

const patch = (body: string, path = "a.txt") =>
  `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n${body}`;

describe("a patch for a reader", () => {
  it("[B-5] names every character that the eye does not see, in lines and in names", () => {
    const nasty = "x = 1\u202e\u200b\u3164\u{e0041}\u00a0\u001b[2J;\r";
    const { files, problems } = showPatch(patch(`@@ -1 +1 @@\n-x = 1\n+${nasty}\n`));
    expect(problems).toEqual([]);
    expect(files[0]?.hunks[0]?.lines[1]?.[1]).toBe(
      "x = 1‹U+202E›‹U+200B›‹U+3164›‹U+E0041›‹U+00A0›‹U+001B›[2J;‹U+000D›",
    );
  });

  it("tells renames, modes, binaries, missing line ends and what is protected", () => {
    const text = [
      "diff --git a/old.sh b/new.sh\nold mode 100644\nnew mode 100755\nsimilarity index 90%\nrename from old.sh\nrename to new.sh\n",
      "diff --git a/pic.png b/pic.png\nindex 1111111..2222222 100644\nBinary files a/pic.png and b/pic.png differ\n",
      "diff --git a/test/a.test.ts b/test/a.test.ts\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/test/a.test.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-expect(1).toBe(1)\n\\ No newline at end of file\n",
    ].join("");
    const shown = showPatch(text);
    expect(shown.files.map(({ path, change }) => [path, change])).toEqual([
      ["test/a.test.ts", "delete"],
      ["new.sh", "rename"],
      ["pic.png", "modify"],
    ]);
    expect(shown.files[0]).toMatchObject({ protected: true, removed: 1, added: 0 });
    expect(shown.files[0]?.hunks[0]?.lines[1]?.[0]).toBe("\\");
    expect(shown.files[1]).toMatchObject({ from: "old.sh", oldMode: "100644", newMode: "100755" });
    expect(shown.files[2]?.binary).toBe(-1);
  });

  it("says that it cannot read all of a broken patch", () => {
    expect(showPatch(patch("@@ -1,5 +1 @@\n-x\n+y\n")).problems).not.toEqual([]);
    expect(showPatch("no patch at all").problems).not.toEqual([]);
  });

  it.each([
    ["return a - b;", "return a + b;", [[9, 10]], [[9, 10]]],
    ["const one = 1;", "const other = 1;", [[6, 9]], [[6, 11]]],
    ["call(a, b)", "call(a, b, c)", [], [[9, 12]]],
  ])("marks the words that changed between %j and %j", (older, newer, gone, come) => {
    const marks = wordMarks(older, newer);
    expect(marks?.[0]).toEqual(gone);
    expect(marks?.[1].map(([from, to]) => newer.slice(from, to))).toEqual(
      come.map(([from, to]) => newer.slice(from, to)),
    );
  });

  it("marks nothing where the lines have little in common", () => {
    expect(wordMarks("import fs from 'fs'", "export default class X {}")).toBeUndefined();
  });
});
