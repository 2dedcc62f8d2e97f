// Repairs that are certain, and those that are not made.
import { describe, expect, it } from "vitest";
import { addFileModes, mendPatch, plainLineEnds, recountHunks } from "./mend.ts";
import { judgePatch } from "./judge/judge.ts";
import type { TreeReader } from "./model.ts";

const head = "diff --git a/f b/f\n--- a/f\n+++ b/f\n";
const treeOf = (text: string): TreeReader => ({
  kind: (path) => (path === "f" ? "file" : undefined),
  content: (path) => (path === "f" ? new TextEncoder().encode(text) : undefined),
  dirty: () => false,
  paths: () => ["f"],
});
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");

describe("counts", () => {
  it.each([
    ["too small", "@@ -1,1 +1,1 @@\n a\n-b\n+c\n d\n", "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n"],
    ["too large", "@@ -1,9 +1,9 @@\n a\n-b\n+c\n d\n", "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n"],
    ["left out", "@@ -1 +1 @@\n a\n-b\n+c\n d\n", "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n"],
    ["a blank line inside", "@@ -1 +1 @@\n a\n\n-b\n+c\n d\n", "@@ -1,4 +1,4 @@\n a\n\n-b\n+c\n d\n"],
    [
      "a mark at the end",
      "@@ -1,9 +1,9 @@\n-b\n+c\n\\ No newline at end of file\n",
      "@@ -1,1 +1,1 @@\n-b\n+c\n\\ No newline at end of file\n",
    ],
    [
      "the new start of the second hunk",
      "@@ -1,2 +1,2 @@\n a\n+x\n+y\n b\n@@ -10,2 +10,2 @@\n-c\n d\n",
      "@@ -1,2 +1,4 @@\n a\n+x\n+y\n b\n@@ -10,2 +12,1 @@\n-c\n d\n",
    ],
    ["no final line end", "@@ -1,9 +1,9 @@\n a\n-b\n+c\n d", "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n"],
    ["a new file", "@@ -0,0 +1,9 @@\n+a\n+b\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"],
    ["a deleted file", "@@ -1,9 +0,0 @@\n-a\n-b\n", "@@ -1,2 +0,0 @@\n-a\n-b\n"],
  ])("%s", (_what, hunks, wanted) => {
    expect(recountHunks(head + hunks)).toBe(head + wanted);
  });

  it.each([
    ["a blank line at the end", "@@ -1,9 +1,9 @@\n a\n-b\n+c\n\n"],
    ["prose behind it", "@@ -1,9 +1,9 @@\n a\n-b\n+c\nDone.\n"],
    ["another section without header", "@@ -1,9 +1,9 @@\n a\n-b\n+c\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n"],
    ["a mail signature", "@@ -1,9 +1,9 @@\n a\n-b\n+c\n-- \n2.39.5\n"],
    ["a hunk without numbers", "@@ ... @@\n a\n-b\n+c\n"],
    ["old lines in a new file", "@@ -0,0 +1,9 @@\n a\n+b\n"],
  ])("not with %s", (_what, hunks) => {
    expect(recountHunks(head + hunks)).toBeUndefined();
  });

  it("a mended patch fits where the right one does, and nowhere else", () => {
    const wrong = `${head}@@ -1,9 +1,1 @@\n a\n-b\n+c\n d\n`;
    const { bytes, mended } = mendPatch(wrong);
    expect(mended).toEqual(["hunk_counts"]);
    expect(judgePatch(bytes, {}, treeOf("a\nb\nd\n")).verdict).toBe("accept");
    expect(judgePatch(bytes, {}, treeOf("a\nb\ne\n")).reason).toBe("context_mismatch");
  });
});

describe("line ends", () => {
  const patch = `${head}@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n`;
  it("follow the file they are for", () => {
    const fitted = mendPatch(patch, treeOf("a\r\nb\r\nd\r\n"));
    expect(fitted.mended).toEqual(["line_ends"]);
    expect(textOf(fitted.bytes)).toBe(`${head}@@ -1,3 +1,3 @@\n a\r\n-b\r\n+c\r\n d\r\n`);
    expect(judgePatch(fitted.bytes, {}, treeOf("a\r\nb\r\nd\r\n")).verdict).toBe("accept");
    const crlf = patch.replaceAll("\n", "\r\n");
    expect(mendPatch(crlf, treeOf("a\nb\nd\n"))).toMatchObject({ mended: ["header_line_ends"] });
    expect(textOf(mendPatch(crlf, treeOf("a\nb\nd\n")).bytes)).toBe(patch);
    expect(textOf(mendPatch(crlf, treeOf("a\r\nb\r\nd\r\n")).bytes)).toBe(textOf(fitted.bytes));
  });

  it("of a file that has both kinds are left alone", () => {
    expect(mendPatch(patch, treeOf("a\r\nb\nd\n")).mended).toEqual([]);
  });

  it("a last line without one stays so", () => {
    const last = `${head}@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n`;
    const fitted = mendPatch(last, treeOf("a\r\nb"));
    expect(judgePatch(fitted.bytes, {}, treeOf("a\r\nb")).verdict).toBe("accept");
  });

  it("are plain only when every line was carried with CRLF", () => {
    expect(plainLineEnds("a\r\nb\r\n")).toBe("a\nb\n");
    expect(plainLineEnds("a\nb\r\n")).toBe("a\nb\r\n");
    expect(plainLineEnds("a\nb\n")).toBe("a\nb\n");
  });
});

describe("mode lines", () => {
  it("are added for new and deleted files", () => {
    const created = "diff --git a/n b/n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n";
    const deleted = "diff --git a/n b/n\nindex 1111111..0000000\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    expect(judgePatch(addFileModes(created)).reason).toBe("ok");
    expect(judgePatch(addFileModes(deleted)).reason).toBe("ok");
    expect(addFileModes(addFileModes(created))).toBe(addFileModes(created));
    expect(addFileModes(head)).toBe(head);
  });
});
