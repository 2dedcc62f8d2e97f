import { describe, expect, it } from "vitest";
import { shortPatch } from "./short-patch.ts";

const around = (name: string): string[] => ["one", "two", "three"].map((word) => ` ${name} ${word}`);
const added = (count: number): string[] => Array.from({ length: count }, (_, at) => `+line ${at}`);
const headerOf = (path: string): string[] => [
  `diff --git a/${path} b/${path}`,
  "index 1111111..2222222 100644",
  `--- a/${path}`,
  `+++ b/${path}`,
];
const edited = [
  ...headerOf("sum.go"),
  "@@ -10,7 +10,15 @@ func Sum",
  ...around("before"),
  "-old",
  ...added(9),
  ...around("after"),
].join("\n");

describe("[B-32] a change as short text", () => {
  it("keeps each changed line with one line around it", () => {
    const short = shortPatch(`${edited}\n`);
    expect(short.split("\n")).toEqual([
      "+++ b/sum.go",
      "@@ -10,7 +10,15 @@ func Sum",
      " before three",
      "-old",
      ...added(9),
      " after one",
    ]);
  });

  it("takes no content for a header, and keeps remarks", () => {
    const rows = [
      "@@ -1,3 +1,3 @@",
      "--- a/secret",
      "+++ b/other",
      "-index 1..2",
      "+@@ -1 +1 @@",
      " same",
      "\\ No newline",
    ];
    const next = [...headerOf("b.txt"), "@@ -1 +1 @@", "-x", "\\ No newline at end of file", "+y"];
    const short = shortPatch([...headerOf("a.txt"), ...rows, ...next].join("\n"));
    expect(short.split("\n")).toEqual(["+++ b/a.txt", ...rows, "+++ b/b.txt", ...next.slice(4)]);
  });

  it("keeps the header of a file that has no content to show, is deleted, renamed or made executable", () => {
    const binary = [
      "diff --git a/x.png b/x.png",
      "index 1111111..2222222 100644",
      "Binary files a/x.png and b/x.png differ",
    ];
    const moved = ["diff --git a/y b/z", "similarity index 100%", "rename from y", "rename to z"];
    const mode = ["diff --git a/run b/run", "old mode 100644", "new mode 100755"];
    const gone =
      "diff --git a/old b/old\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-x";
    const all = [...binary, ...moved, gone, ...mode];
    expect(shortPatch(all.join("\n"))).toBe(all.join("\n"));
    const fresh = ["diff --git a/n b/n", "new file mode 100755", "index 0000000..1111111", "--- /dev/null", "+++ b/n"];
    expect(shortPatch([...fresh, "@@ -0,0 +1 @@", "+x"].join("\n"))).toBe(
      ["new file mode 100755", "+++ b/n", "@@ -0,0 +1 @@", "+x"].join("\n"),
    );
  });
});
