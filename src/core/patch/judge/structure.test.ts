// Headers, hunks and sections that do not say one thing only.
import { describe, expect, it } from "vitest";
import { binaryTools } from "../../../platform/system/index.ts";
import { judgePatch } from "./judge.ts";
import { printPatch, parsePatch } from "../index.ts";
import type { PatchOptions } from "../options.ts";

const head = (path: string) => `diff --git a/${path} b/${path}\n`;
const files = (path: string) => `--- a/${path}\n+++ b/${path}\n`;
const one = "@@ -1 +1 @@\n-one\n+uno\n";
const edit = (path: string, hunks = one) => head(path) + files(path) + hunks;
const create = (path: string, text = "+x\n") =>
  `${head(path)}new file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n${text}`;

const reasonOf = (patch: string, options?: PatchOptions) => judgePatch(patch, options).reason;

const table: Record<string, readonly (readonly [what: string, patch: string])[]> = {
  ok: [
    ["omitted counts", edit("f")],
    ["counts of one written out", edit("f", "@@ -1,1 +1,1 @@\n-one\n+uno\n")],
    ["a heading behind the hunk header", edit("f", "@@ -5,3 +5,3 @@ function x() {\n a\n-b\n+c\n d\n")],
    ["two hunks that touch", edit("f", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -3,2 +3,2 @@\n-c\n+C\n d\n")],
    ["a blank context line without its space", edit("f", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n")],
    [
      "no newline on both sides",
      edit("f", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"),
    ],
    ["no newline in another language", edit("f", "@@ -1 +1 @@\n-a\n+b\n\\ Kein Zeilenumbruch am Dateiende.\n")],
    ["an empty new file", `${head("e")}new file mode 100644\nindex 0000000..e69de29\n`],
    ["an empty file deleted", `${head("e")}deleted file mode 100644\nindex e69de29..0000000\n`],
    [
      "a rename with an edit",
      `diff --git a/a b/b\nsimilarity index 90%\nrename from a\nrename to b\nindex 1111111..2222222 100644\n--- a/a\n+++ b/b\n${one}`,
    ],
    [
      "a copy with an edit",
      `diff --git a/a b/b\nsimilarity index 90%\ncopy from a\ncopy to b\n--- a/a\n+++ b/b\n${one}`,
    ],
    [
      "a mode change with an edit",
      `${head("f")}old mode 100755\nnew mode 100644\nindex 1111111..2222222\n${files("f")}${one}`,
    ],
    ["a rewrite", `${head("f")}dissimilarity index 95%\nindex 1111111..2222222 100644\n${files("f")}${one}`],
    ["time stamps behind the names", `${head("f")}--- a/f\t2026-01-01 00:00:00\n+++ b/f\t2026-01-01 00:00:01\n${one}`],
    ["git's mnemonic prefixes", `diff --git i/f w/f\n--- i/f\n+++ w/f\n${one}`],
    [
      "a mail around the patch",
      `From ${"a".repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: A <a@example.invalid>\nSubject: [PATCH] x\n\n- a list\n---\n f | 2 +-\n 1 file changed\n\n${edit("f")}-- \n2.39.5\n\n`,
    ],
    [
      "two mails",
      `${edit("f")}-- \n2.39.5\n\n\nFrom ${"b".repeat(40)} Mon Sep 17 00:00:00 2001\nSubject: y\n\n---\n g | 2 +-\n\n${edit("g")}-- \n2.39.5\n`,
    ],
    ["blank lines between sections", `${edit("f")}\n\n${edit("g")}\n`],
    ["a remark behind it", `${edit("f")}That is all.\n`],
    [
      "a commit message before it",
      `commit ${"c".repeat(40)}\nAuthor: x\n\n    rename from here to there\n\n${edit("f")}`,
    ],
    [
      "two files swapped",
      "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\ndiff --git a/b b/a\nsimilarity index 100%\nrename from b\nrename to a\n",
    ],
    [
      "a case-only rename",
      "diff --git a/Read.me b/READ.me\nsimilarity index 100%\nrename from Read.me\nrename to READ.me\n",
    ],
    [
      "a file moved and a new one in its place",
      `diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n${create("a")}`,
    ],
    [
      "one file copied twice and edited",
      `diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\ndiff --git a/a b/c\nsimilarity index 100%\ncopy from a\ncopy to c\n${edit("a")}`,
    ],
    [
      "a file that became a folder",
      `${head("x")}deleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n${create("x/y")}`,
    ],
    ["flags of regions", create("f", "+🏴󠁧󠁢󠁳󠁣󠁴󠁿\n")],
    ["right-to-left text", create("f", "+שלום عالم\n")],
  ],
  ok_whitespace_warning: [
    ["a blank at the end", create("f", "+x \n")],
    ["a tab at the end of a CRLF line", create("f", "+x\t\r\n")],
    ["only blanks", create("f", "+   \n")],
  ],
  empty_patch: [
    ["nothing", ""],
    ["blank lines", "\n \n\t\n"],
    ["a header alone", head("f")],
    ["a header alone before a real section", head("f") + edit("g")],
    ["an index line alone", `${head("f")}index 1111111..2222222 100644\n`],
    ["a line replaced by itself", edit("f", "@@ -1 +1 @@\n-one\n+one\n")],
  ],
  no_diff_header: [
    ["prose", "Please change line 3.\n"],
    ["an apply_patch envelope", "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n"],
    ["an indented diff", edit("f").replaceAll(/^/gm, "  ")],
    ["a hunk alone", one],
    ["---/+++ alone", files("f") + one],
    ["a BOM before the header", `\ufeff${edit("f")}`],
    ["a zero-width space before the header", `\u200b${edit("f")}`],
    ["an ed script", "1c\nfoo\n.\n"],
    ["a context diff", "*** a/f\n--- b/f\n***************\n*** 1 ****\n! one\n--- 1 ----\n! uno\n"],
  ],
  header_mismatch: [
    ["another old name", `${head("f")}--- a/g\n+++ b/f\n${one}`],
    ["another new name", `${head("f")}--- a/f\n+++ b/g\n${one}`],
    ["two names and no rename", `diff --git a/f b/g\n--- a/f\n+++ b/g\n${one}`],
    ["a rename to another name", "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to h\n"],
    ["a rename from another name", "diff --git a/f b/g\nsimilarity index 100%\nrename from e\nrename to g\n"],
    ["half a rename", "diff --git a/f b/g\nsimilarity index 100%\nrename from f\n"],
    ["rename and copy", "diff --git a/f b/g\nrename from f\nrename to g\ncopy from f\ncopy to g\n"],
    ["new and deleted", `${head("f")}new file mode 100644\ndeleted file mode 100644\n`],
    ["a new file with an old name", `${head("f")}new file mode 100644\n${files("f")}${one}`],
    ["a deleted file with a new name", `${head("f")}deleted file mode 100644\n${files("f")}@@ -1 +0,0 @@\n-x\n`],
    ["/dev/null without a mode line", `${head("f")}--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n`],
    ["deleted without a mode line", `${head("f")}--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`],
    [
      "a new file that keeps lines",
      `${head("f")}new file mode 100644\n--- /dev/null\n+++ b/f\n@@ -1 +1,2 @@\n a\n+b\n`,
    ],
    [
      "a deleted file that keeps lines",
      `${head("f")}deleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1,2 +1 @@\n-a\n b\n`,
    ],
    ["an old mode alone", `${head("f")}old mode 100644\n`],
    ["a header line twice", `${head("f")}old mode 100644\nold mode 100644\nnew mode 100755\n`],
    ["one name", "diff --git a/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"],
  ],
  hunk_header_malformed: [
    ["no numbers", edit("f", "@@ ... @@\n-a\n+b\n")],
    ["nothing", edit("f", "@@ @@\n-a\n+b\n")],
    ["an overflowing start", edit("f", "@@ -99999999999999999999,1 +1 @@\n-a\n+b\n")],
    ["a start beyond 2^31", edit("f", "@@ -4294967297 +1 @@\n-a\n+b\n")],
    ["an overflowing count", edit("f", "@@ -1,18446744073709551617 +1 @@\n-a\n+b\n")],
    ["a negative number", edit("f", "@@ --1 +1 @@\n-a\n+b\n")],
    ["hexadecimal", edit("f", "@@ -0x1 +1 @@\n-a\n+b\n")],
    ["leading zeros", edit("f", "@@ -01 +01 @@\n-a\n+b\n")],
    ["line zero with lines", edit("f", "@@ -0,1 +1 @@\n-a\n+b\n")],
    ["no lines at all", edit("f", "@@ -1,0 +1,0 @@\n")],
    ["no closing @@", edit("f", "@@ -1 +1\n-a\n+b\n")],
    ["the first line glued to it", edit("f", "@@ -1 +1 @@x\n-a\n+b\n")],
    ["only one side", edit("f", "@@ -1 @@\n-a\n+b\n")],
    ["no hunk behind ---/+++", head("f") + files("f")],
    ["prose before the next hunk", edit("f", `${one}Now the second part:\n@@ -5 +5 @@\n-a\n+b\n`)],
  ],
  hunk_count_mismatch: [
    ["old count too large", edit("f", "@@ -1,2 +1 @@\n-a\n+b\n")],
    ["both counts too large", edit("f", "@@ -1,3 +1,3 @@\n-a\n+b\n c\n")],
    ["new count too small", edit("f", "@@ -1 +1 @@\n-a\n+b\n+c\n")],
    ["both too small", edit("f", "@@ -1 +1 @@\n-a\n+b\n c\n")],
    ["lines behind a blank one", edit("f", "@@ -1 +1 @@\n-a\n+b\n\n c\n")],
    ["cut off in a line", edit("f", "@@ -1 +1 @@\n-a\n+b")],
    ["cut off behind a header", `${edit("f")}diff --git a/g b/g\nold mode 100644\nnew mode 100755`],
    ["a claim of 2^31 lines", edit("f", "@@ -1,2147483648 +1,2147483648 @@\n a\n-b\n+c\n")],
    ["the next section inside", edit("f", "@@ -1,4 +1,4 @@\n a\n-b\n+c\n") + edit("g")],
    ["a bullet behind the hunk", `${edit("f")}- and a bullet\n`],
    ["nothing below the hunk header", edit("f", "@@ -1 +1 @@\n")],
  ],
  patch_malformed: [
    ["a no-newline mark in the middle", edit("f", "@@ -1 +1,2 @@\n-a\n+b\n\\ No newline at end of file\n+c\n")],
    ["a no-newline mark first", edit("f", "@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n")],
    ["a stray rename line", `${edit("f")}rename from x\nrename to y\n`],
    ["a broken similarity", "diff --git a/f b/g\nsimilarity index 101%\nrename from f\nrename to g\n"],
    ["a broken index", `${head("f")}index xyz..abc\nold mode 100644\nnew mode 100755\n`],
  ],
  hunk_overlap: [
    ["old lines twice", edit("f", "@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n@@ -3,2 +3,2 @@\n c\n-d\n+D\n")],
    ["hunks out of order", edit("f", "@@ -10 +10 @@\n-a\n+A\n@@ -1 +1 @@\n-b\n+B\n")],
    ["new lines twice", edit("f", "@@ -1,2 +1,3 @@\n a\n+b\n c\n@@ -10 +2 @@\n-b\n+B\n")],
  ],
  duplicate_path: [
    ["edited twice", edit("f") + edit("f", "@@ -9 +9 @@\n-x\n+y\n")],
    ["created twice", create("f") + create("f")],
    ["edited and deleted", `${edit("f")}${head("f")}deleted file mode 100644\n`],
    [
      "deleted and created",
      `${head("f")}deleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n${create("f")}`,
    ],
    [
      "renamed twice",
      "diff --git a/a b/b\nrename from a\nrename to b\ndiff --git a/a b/c\nrename from a\nrename to c\n",
    ],
    ["renamed and edited under the old name", `diff --git a/a b/b\nrename from a\nrename to b\n${edit("a")}`],
    ["renamed and edited under the new name", `diff --git a/a b/b\nrename from a\nrename to b\n${edit("b")}`],
    ["a file and a folder of one name", create("x") + create("x/y")],
  ],
  casefold_collision: [
    ["two new files", create("Case.txt") + create("case.txt")],
    ["two folders", create("Src/a") + create("src/b")],
    ["sharp s", create("straße") + create("STRASSE")],
    ["a rename beside an edit", `${edit("readme")}diff --git a/a b/README\nrename from a\nrename to README\n`],
  ],
  unicode_collision: [["NFC and NFD", create("caf\u00e9") + create("cafe\u0301")]],
  combined_diff: [
    ["--cc", "diff --cc f\nindex 1111111,2222222..3333333\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n--a\n -b\n++c\n"],
    ["--combined", "diff --combined f\nindex 1111111,2222222..3333333\n"],
    ["@@@ below a plain header", `${head("f")}${files("f")}@@@ -1,1 -1,1 +1,1 @@@\n--a\n++c\n`],
  ],
  submodule: [
    [
      "created",
      `${head("m")}new file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit ${"1".repeat(40)}\n`,
    ],
    [
      "moved to another commit",
      `${head("m")}index 1234567..7654321 160000\n${files("m")}@@ -1 +1 @@\n-Subproject commit ${"1".repeat(40)}\n+Subproject commit ${"2".repeat(40)}\n`,
    ],
    [
      "recognised by its content alone",
      edit("m", `@@ -1 +1 @@\n-Subproject commit ${"1".repeat(40)}\n+Subproject commit ${"2".repeat(40)}\n`),
    ],
    [
      "removed",
      `${head("m")}deleted file mode 160000\nindex 1234567..0000000\n--- a/m\n+++ /dev/null\n@@ -1 +0,0 @@\n-Subproject commit ${"1".repeat(40)}\n`,
    ],
  ],
  symlink_create: [
    [
      "a new link",
      `${head("l")}new file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+src\n\\ No newline at end of file\n`,
    ],
    [
      "a link and a file through it",
      `${head("l")}new file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n${create("l/x")}`,
    ],
    ["a file that becomes one", `${head("l")}old mode 100644\nnew mode 120000\n`],
  ],
  symlink_change: [
    [
      "another target",
      `${head("l")}index 1111111..2222222 120000\n${files("l")}@@ -1 +1 @@\n-src\n\\ No newline at end of file\n+/etc\n\\ No newline at end of file\n`,
    ],
    [
      "a link that becomes a file, in two sections",
      `${head("l")}deleted file mode 120000\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-src\n\\ No newline at end of file\n${create("l")}`,
    ],
    ["a link that becomes a file by its mode", `${head("l")}old mode 120000\nnew mode 100644\n`],
  ],
  symlink_write_through: [
    [
      "a moved file with something below it",
      `diff --git a/l b/d\nsimilarity index 100%\nrename from l\nrename to d\n${create("d/x")}`,
    ],
  ],
  mode_invalid: [
    ["a folder", `${head("f")}new file mode 040000\n`],
    ["setuid", `${head("f")}old mode 100644\nnew mode 104755\n`],
    ["world writable", `${head("f")}new file mode 100777\n`],
    ["a device", `${head("f")}new file mode 020666\n`],
    ["too short", `${head("f")}new file mode 644\n`],
    ["no number", `${head("f")}new file mode abc\n`],
    ["the same mode", `${head("f")}old mode 100644\nnew mode 100644\n`],
  ],
  nul_byte: [["in added text", create("f", "+a\0b\n")]],
  bidi_control: [
    ["an override", create("f", "+/*\u202e*/\n")],
    ["an isolate", create("f", "+\u2066x\u2069\n")],
  ],
  hidden_text: [["tag characters", create("f", "+x\u{e0049}\u{e0067}\n")]],
  line_ending_mismatch: [
    ["CRLF everywhere", edit("f").replaceAll("\n", "\r\n")],
    ["CRLF in some headers", edit("f").replace("b/f\n---", "b/f\r\n---")],
  ],
};

describe("the shape of a patch", () => {
  const rows = Object.entries(table).flatMap(([reason, list]) =>
    list.map(([what, patch]) => [reason, what, patch] as const),
  );
  it.each(rows)("%s: %s", (reason, _what, patch) => {
    expect(reasonOf(patch)).toBe(reason);
  });

  it("what is accepted prints back byte for byte", () => {
    for (const [reason, list] of Object.entries(table)) {
      if (!reason.startsWith("ok")) continue;
      for (const [, patch] of list)
        expect(Buffer.from(printPatch(parsePatch(patch).patch)).toString("utf8")).toBe(patch);
    }
  });

  it("the worst finding decides, and all are reported", () => {
    const verdict = judgePatch(create(".github/workflows/x.yml", "+\u202e \n") + create("../x"));
    expect(verdict.reason).toBe("path_traversal");
    expect(verdict.findings.map(({ reason }) => reason)).toEqual([
      "path_traversal",
      "exec_config",
      "bidi_control",
      "ok_whitespace_warning",
    ]);
  });

  it("binary data needs a permission, and a notice without data is never enough", () => {
    const ids = `${"0".repeat(40)}..0a7b58a6cfb5ab5881682ee259482699b18ed549`;
    const literal = `${head("b")}new file mode 100644\nindex ${ids}\nGIT binary patch\nliteral 10\nRc\${NkWMcmRkHOK23jhpx0+9d!\n\nliteral 0\nHcmV?d00001\n\n`;
    const notice = `${head("b")}index 1111111..2222222 100644\nBinary files a/b and b/b differ\n`;
    expect(reasonOf(literal)).toBe("binary_not_allowed");
    expect(reasonOf(literal, { binary: binaryTools })).toBe("ok");
    expect(reasonOf(literal.replace("ed549", "ed540"), { binary: binaryTools })).toBe("patch_malformed");
    expect(reasonOf(literal.replace("literal 10", "literal 11"), { binary: binaryTools })).toBe("patch_malformed");
    expect(reasonOf(literal.replace("literal 10", "literal 999999999"), { binary: binaryTools })).toBe("too_large");
    expect(reasonOf(notice, { binary: binaryTools })).toBe("binary_not_allowed");
    expect(reasonOf(literal.replace(ids, "0000000..1111111"), { binary: binaryTools })).toBe("patch_malformed");
    expect(reasonOf(literal.replace("Rc$", "Ac$"), { binary: binaryTools })).toBe("patch_malformed");
    expect(reasonOf(literal.replace("literal 10", "literal x"), { binary: binaryTools })).toBe("patch_malformed");
    expect(reasonOf(literal.replace("9d!\n\n", "9d!\n"), { binary: binaryTools })).toBe("patch_malformed");
  });

  it("a size limit stops a patch before it is read", () => {
    expect(reasonOf(create("f", `+${"x".repeat(11_000_000)}\n`))).toBe("too_large");
    expect(reasonOf(create("f"), { maxBytes: 10 })).toBe("too_large");
    expect(reasonOf(create("f") + create("g"), { maxFiles: 1 })).toBe("too_large");
    expect(reasonOf(edit("f", "@@ -1 +1 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n"), { maxHunks: 1 })).toBe("too_large");
  });

  it("[T-14] an answer needs a hunk with numbers, a patch does not", () => {
    const rename = "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n";
    expect(reasonOf(rename)).toBe("ok");
    expect(reasonOf(rename, { requireNumericHunk: true })).toBe("no_numeric_hunk");
    expect(reasonOf(rename + edit("f"), { requireNumericHunk: true })).toBe("ok");
  });
});
