// The judgements that need the tree.
import { describe, expect, it } from "vitest";
import type { EntryKind, TreeReader } from "../model.ts";
import { judgePatch } from "./judge.ts";

interface Entry {
  readonly text?: string;
  readonly kind?: EntryKind;
  readonly dirty?: boolean;
}

function treeOf(entries: Readonly<Record<string, string | Entry>>): TreeReader {
  const all = new Map(
    Object.entries(entries).map(([path, entry]) => [path, typeof entry === "string" ? { text: entry } : entry]),
  );
  return {
    kind: (path) => {
      const entry = all.get(path);
      if (entry) return entry.kind ?? "file";
      return [...all.keys()].some((key) => key.startsWith(`${path}/`)) ? "directory" : undefined;
    },
    content: (path) => (all.has(path) ? new TextEncoder().encode(all.get(path)?.text ?? "") : undefined),
    dirty: (path) => all.get(path)?.dirty ?? false,
    paths: () => all.keys(),
  };
}

const head = (path: string) => `diff --git a/${path} b/${path}\n`;
const edit = (path: string, hunks: string) => `${head(path)}--- a/${path}\n+++ b/${path}\n${hunks}`;
const create = (path: string) => `${head(path)}new file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
const remove = (path: string, text = "a") =>
  `${head(path)}deleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${text}\n`;
const rename = (from: string, to: string) =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
const copy = (from: string, to: string) => rename(from, to).replaceAll("rename ", "copy ");
const swap = "@@ -1 +1 @@\n-a\n+b\n";
const numbers = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join("");

const judge = (patch: string, tree: Readonly<Record<string, string | Entry>>) => {
  const { verdict, reason } = judgePatch(patch, {}, treeOf(tree));
  return `${verdict} ${reason}`;
};

describe("hunks and the file", () => {
  const cases: readonly (readonly [what: string, text: string, hunks: string, verdict: string])[] = [
    ["exact", "a\n", swap, "accept ok"],
    ["other content", "c\n", swap, "reject context_mismatch"],
    ["other context", "z\na\n", "@@ -1,2 +1,2 @@\n y\n-a\n+b\n", "reject context_mismatch"],
    ["exact although it fits elsewhere too", "x\nx\nx\nx\n", "@@ -2,2 +2,2 @@\n-x\n+y\n x\n", "accept ok"],
    [
      "moved, and only one place fits",
      numbers,
      "@@ -3,3 +3,3 @@\n line 9\n-line 10\n+ten\n line 11\n",
      "accept ok_offset",
    ],
    [
      "moved, and two places fit",
      `${numbers}${numbers}`,
      "@@ -3,3 +3,3 @@\n line 9\n-line 10\n+ten\n line 11\n",
      "reject ambiguous_context",
    ],
    [
      "beyond the end, and many places fit",
      "x\n".repeat(6),
      "@@ -20,3 +20,3 @@\n x\n-x\n+y\n x\n",
      "reject ambiguous_context",
    ],
    ["sides that disagree, one place", numbers, "@@ -9,3 +5,3 @@\n line 9\n-line 10\n+ten\n line 11\n", "accept ok"],
    [
      "sides that disagree, two places",
      `${numbers}${numbers}`,
      "@@ -9,3 +5,3 @@\n line 9\n-line 10\n+ten\n line 11\n",
      "reject ambiguous_context",
    ],
    ["no context in the middle", numbers, "@@ -10 +10 @@\n-line 10\n+ten\n", "reject context_mismatch"],
    ["no context at the end", numbers, "@@ -20 +20 @@\n-line 20\n+twenty\n", "accept ok"],
    ["an insertion without context", numbers, "@@ -5,0 +6 @@\n+new\n", "reject ambiguous_context"],
    ["an insertion without context at the end", numbers, "@@ -20,0 +21 @@\n+new\n", "accept ok"],
    ["an insertion into an empty file", "", "@@ -0,0 +1 @@\n+new\n", "accept ok"],
    ["an insertion at line 0 of a full file", numbers, "@@ -0,0 +1 @@\n+new\n", "reject ambiguous_context"],
    [
      "first line by number, not by place",
      numbers,
      "@@ -1,2 +1,2 @@\n-line 5\n+five\n line 6\n",
      "reject context_mismatch",
    ],
    ["a missing final newline not marked", "a", swap, "reject context_mismatch"],
    ["a missing final newline marked", "a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "accept ok"],
    [
      "a final newline marked as missing",
      "a\n",
      "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n",
      "reject context_mismatch",
    ],
    ["LF lines for a CRLF file", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n-a\n+b\n c\n", "reject line_ending_mismatch"],
    ["CRLF lines for an LF file", "a\nc\n", "@@ -1,2 +1,2 @@\n-a\r\n+b\r\n c\r\n", "reject line_ending_mismatch"],
    ["CRLF lines for a CRLF file", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n-a\r\n+b\r\n c\r\n", "accept ok"],
    ["trailing blanks lost", "a \nc\n", "@@ -1,2 +1,2 @@\n a\n-c\n+d\n", "reject context_mismatch"],
    [
      "two hunks, the second moved",
      numbers,
      "@@ -1,2 +1,2 @@\n-line 1\n+one\n line 2\n@@ -9,3 +9,3 @@\n line 14\n-line 15\n+x\n line 16\n",
      "accept ok_offset",
    ],
    [
      "two hunks, one place for both",
      numbers,
      "@@ -2,3 +2,3 @@\n line 2\n-line 3\n+x\n line 4\n@@ -9,3 +9,3 @@\n line 2\n-line 3\n+x\n line 4\n",
      "reject context_mismatch",
    ],
    [
      "two hunks, the second fits only above",
      numbers,
      "@@ -12,3 +12,3 @@\n line 12\n-line 13\n+x\n line 14\n@@ -16,3 +16,3 @@\n line 2\n-line 3\n+x\n line 4\n",
      "reject hunk_overlap",
    ],
  ];
  it.each(cases)("%s", (_what, text, hunks, verdict) => {
    expect(judge(edit("f", hunks), { f: text })).toBe(verdict);
  });

  it("the whole patch in CRLF is right for a CRLF file, and for no other", () => {
    const patch = edit("f", "@@ -1,2 +1,2 @@\n-a\n+b\n c\n").replaceAll("\n", "\r\n");
    expect(judge(patch, { f: "a\r\nc\r\n" })).toBe("accept ok");
    expect(judge(patch, { f: "a\nc\n" })).toBe("reject line_ending_mismatch");
    expect(judge(create("f").replaceAll("\n", "\r\n"), {})).toBe("reject line_ending_mismatch");
  });
});

describe("files and the tree", () => {
  it.each([
    ["an edit of nothing", edit("f", swap), {}, "reject context_mismatch"],
    ["a new file over another", create("f"), { f: "a\n" }, "reject context_mismatch"],
    ["a new file over an untracked one", create("f"), { f: { text: "a\n", dirty: true } }, "reject dirty_target"],
    ["an edit of an edited file", edit("f", swap), { f: { text: "a\n", dirty: true } }, "reject dirty_target"],
    [
      "an edit of an edited file that no longer fits",
      edit("f", swap),
      { f: { text: "q\n", dirty: true } },
      "reject dirty_target",
    ],
    ["a deletion", remove("f"), { f: "a\n" }, "accept ok"],
    ["a deletion of more than is shown", remove("f"), { f: "a\nb\n" }, "reject context_mismatch"],
    ["a deletion without content", `${head("f")}deleted file mode 100644\n`, { f: "a\n" }, "reject context_mismatch"],
    ["a deletion of an empty file", `${head("f")}deleted file mode 100644\n`, { f: "" }, "accept ok"],
    ["a deletion of an edited file", remove("f"), { f: { text: "a\n", dirty: true } }, "reject dirty_target"],
    ["a rename", rename("f", "g"), { f: "a\n" }, "accept ok"],
    ["a rename of nothing", rename("f", "g"), {}, "reject context_mismatch"],
    ["a rename onto another file", rename("f", "g"), { f: "a\n", g: "b\n" }, "reject context_mismatch"],
    ["a rename onto a file that goes", rename("f", "g") + remove("g"), { f: "a\n", g: "a\n" }, "accept ok"],
    ["a swap", rename("f", "g") + rename("g", "f"), { f: "a\n", g: "b\n" }, "accept ok"],
    ["a copy", copy("f", "g"), { f: "a\n" }, "accept ok"],
    ["a copy of an edited file", copy("f", "g"), { f: { text: "a\n", dirty: true } }, "reject dirty_target"],
    [
      "a mode it does not have",
      `${head("f")}old mode 100755\nnew mode 100644\n`,
      { f: "a\n" },
      "reject context_mismatch",
    ],
    [
      "a mode it has",
      `${head("f")}old mode 100755\nnew mode 100644\n`,
      { f: { text: "a\n", kind: "executable" } },
      "accept ok",
    ],
    ["a file below a file", create("f/x"), { f: "a\n" }, "reject context_mismatch"],
    ["a file below a file that goes", remove("f") + create("f/x"), { f: "a\n" }, "accept ok"],
    ["a file in place of a folder", create("d"), { "d/x": "a\n" }, "reject context_mismatch"],
    ["a file in place of a folder that goes", create("d") + remove("d/x"), { "d/x": "a\n" }, "accept ok"],
    [
      "an edit through a link",
      edit("l/f", swap),
      { l: { kind: "symlink", text: "src" }, "src/f": "a\n" },
      "reject symlink_write_through",
    ],
    [
      "a new file through a link",
      create("l/deep/f"),
      { l: { kind: "symlink", text: "/tmp" } },
      "reject symlink_write_through",
    ],
    [
      "a rename out of a link",
      rename("l/f", "g"),
      { l: { kind: "symlink", text: "src" } },
      "reject symlink_write_through",
    ],
    [
      "a new folder where a link was",
      remove("l", "src\n\\ No newline at end of file").replace("100644", "120000") + create("l/f"),
      { l: { kind: "symlink", text: "src" } },
      "accept ok",
    ],
    [
      "a link deleted",
      remove("l", "src\n\\ No newline at end of file").replace("100644", "120000"),
      { l: { kind: "symlink", text: "src" } },
      "accept ok",
    ],
    [
      "another link deleted",
      remove("l", "lib\n\\ No newline at end of file").replace("100644", "120000"),
      { l: { kind: "symlink", text: "src" } },
      "reject context_mismatch",
    ],
    ["a link taken for a file", remove("l", "src"), { l: { kind: "symlink", text: "src" } }, "reject symlink_change"],
    [
      "a file taken for a link",
      remove("l", "src").replace("100644", "120000"),
      { l: "src\n" },
      "reject context_mismatch",
    ],
    ["an edit of a link", edit("l", swap), { l: { kind: "symlink", text: "a" } }, "reject symlink_change"],
    ["a link moved", rename("l", "m"), { l: { kind: "symlink", text: "src" } }, "reject symlink_change"],
    ["a link copied", copy("l", "m"), { l: { kind: "symlink", text: "src" } }, "reject symlink_create"],
    [
      "a link moved, and a file below its new place",
      rename("l", "m") + create("m/x"),
      { l: { kind: "symlink", text: "../out" } },
      "reject symlink_write_through",
    ],
    ["a file in a submodule", create("sub/f"), { sub: { kind: "gitlink" } }, "reject submodule"],
    ["a submodule removed as a file", remove("sub"), { sub: { kind: "gitlink" } }, "reject submodule"],
    ["a name in another case", create("readme.md"), { "README.md": "a\n" }, "reject casefold_collision"],
    ["a folder in another case", create("Src/b"), { "src/a": "a\n" }, "reject casefold_collision"],
    ["a name in another spelling", create("cafe\u0301"), { "caf\u00e9": "a\n" }, "reject unicode_collision"],
    ["a case-only rename", rename("Readme", "README"), { Readme: "a\n" }, "accept ok"],
    ["a folder that exists in both cases", create("src/b"), { "src/a": "a\n", "Src/c": "c\n" }, "accept ok"],
  ] as const)("%s", (_what, patch, tree, verdict) => {
    expect(judge(patch, tree)).toBe(verdict);
  });
});

describe("monsters", () => {
  it("a periodic file and a periodic hunk are answered in linear time", () => {
    const text = "x\n".repeat(200_000);
    const hunk = `@@ -150000,100001 +150000,100001 @@\n-y\n+z\n${" x\n".repeat(100_000)}`;
    expect(judge(edit("f", hunk), { f: text })).toBe("reject context_mismatch");
    const nearly = `@@ -7,100001 +7,100001 @@\n${" x\n".repeat(100_000)}-y\n+z\n`;
    expect(judge(edit("f", nearly), { f: `${text}y\n` })).toBe("accept ok_offset");
  });

  it("too many hunks that must be searched for are refused, not searched for", () => {
    const text = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`).join("");
    const hunks = Array.from(
      { length: 10_000 },
      (_, index) =>
        `@@ -${index * 5 + 40_000},3 +${index * 5 + 40_000},3 @@\n line ${index * 5}\n-line ${index * 5 + 1}\n+x\n line ${index * 5 + 2}\n`,
    );
    expect(judge(edit("f", hunks.join("")), { f: text })).toBe("reject too_large");
  });
});
