// Changes in the forms that models write: the canonical patch that comes of each, and what is refused.
import { describe, expect, it } from "vitest";
import { fromBytes, toBytes, encodeUtf8, decodeUtf8 } from "../bytes.ts";
import { applyHunks } from "../apply/apply.ts";
import { judgePatch } from "../judge/judge.ts";
import type { TreeReader } from "../model.ts";
import { parsePatch } from "../read/read.ts";
import { diffLines } from "./line-diff.ts";
import { diffOfAnswer, type AnswerOptions } from "./index.ts";

type Files = Readonly<Record<string, string>>;

const treeOf = (files: Files, links: readonly string[] = []): TreeReader => ({
  kind: (path) => (links.includes(path) ? "symlink" : path in files ? "file" : undefined),
  content: (path) => (path in files ? toBytes(encodeUtf8(files[path] ?? "")) : undefined),
  dirty: () => false,
  paths: () => Object.keys(files),
});

const files: Files = {
  "a.txt": "one\ntwo\nthree\n",
  "src/x.py": "class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n",
  "crlf.txt": "one\r\ntwo\r\nthree\r\n",
  "noeol.txt": "one\ntwo",
  "doc.md": "# T\n\n```js\nlet a = 1;\n```\n\nend\n",
  "page.html": '<a href="x">T & C</a>\n',
  "ünï.txt": "one\n",
  "long.txt": Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join(""),
  "same.txt": "x\ny\nx\ny\n",
};

const read = (answer: string, options: AnswerOptions = {}) => diffOfAnswer(answer, { tree: treeOf(files), ...options });

/** The files after the patch, those that changed only; the patch must be one that the judge accepts. */
function after(answer: string, tree: Files = files): Record<string, string | null> {
  const diff = diffOfAnswer(answer, { tree: treeOf(tree) });
  expect(diff.message).not.toBe("");
  expect([diff.valid, diff.reason, diff.message]).toEqual([true, "ok", diff.message]);
  const patch = diff.patch ?? new Uint8Array();
  expect(judgePatch(patch, {}, treeOf(tree)).verdict).toBe("accept");
  const changed: Record<string, string | null> = {};
  for (const section of parsePatch(patch).patch.sections) {
    const { oldPath, newPath } = section;
    const applied = applyHunks(oldPath === null ? null : toBytes(encodeUtf8(tree[oldPath] ?? "")), section);
    if (!applied.ok) throw new Error(applied.message);
    if (oldPath !== null && oldPath !== newPath) changed[oldPath] = null;
    if (newPath !== null) changed[newPath] = decodeUtf8(fromBytes(applied.bytes));
  }
  return changed;
}

const fence = (text: string, info = "", mark = "```") => `Here:\n\n${mark}${info}\n${text}${mark}\nDone.\n`;
const plain = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-one\n+ONE\n two\n three\n";
const git = `diff --git a/a.txt b/a.txt\n${plain}`;
const tool = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n two\n*** End Patch\n";
const search = "<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n";
const done = { "a.txt": "ONE\ntwo\nthree\n" };

describe("[T-34] the forms that models write become one canonical patch", () => {
  it.each([
    ["apply_patch", fence(tool)],
    ["apply_patch", tool],
    ["apply_patch", `Sure.\n\n${tool}\nThat is all.\n`],
    ["apply_patch", fence(`apply_patch <<'EOF'\n${tool}EOF\n`, "bash")],
    ["apply_patch", fence(`$ apply_patch <<"PATCH"\n${tool}PATCH\n`, "shell")],
    ["apply_patch", `{"tool":"apply_patch","input":${JSON.stringify(tool)}}`],
    ["apply_patch", JSON.stringify({ cmd: ["bash", "-lc", `apply_patch <<'EOF'\n${tool}EOF\n`] })],
    ["apply_patch", fence(tool).replaceAll("\n", "\r\n")],
    ["apply_patch", fence(tool.replace("@@\n", "@@ one\n").replace("-one", "-one"), "patch")],
    ["search_replace", `a.txt\n${fence(search).slice(7)}`],
    ["search_replace", `**a.txt**\n\n\`\`\`txt\n${search}\`\`\`\n`],
    ["search_replace", fence(`a.txt\n${search}`)],
    ["search_replace", `### \`a.txt\`\n${search}`],
    ["search_replace", fence(`a.txt\n------- SEARCH\none\n=======\nONE\n+++++++ REPLACE\n`)],
    ["unified_diff", fence(plain, "diff")],
    ["unified_diff", fence(plain.replaceAll(/ [ab]\//g, " "), "diff")],
    ["unified_diff", plain],
    ["unified_diff", `Here it is:\n\n${plain}\nIt is done.\n`],
    [
      "unified_diff",
      fence(`Index: a.txt\n${"=".repeat(67)}\n${plain.replaceAll(/ [ab]\/a.txt/g, " a.txt\t(revision 1)")}`),
    ],
    ["unified_diff", fence(plain.replaceAll("a.txt", "a.txt\t2026-01-01 00:00:00.000 +0000"), "diff")],
    ["unified_diff", fence(git.replace(/---[^@]*/, "index 1111111..2222222 100644\n"), "diff")],
    ["unnumbered_hunks", fence(git.replace(/@@.*@@/, "@@ @@"), "diff")],
    ["unnumbered_hunks", fence(plain.replace(/@@.*@@/, "@@ ... @@"), "diff")],
    ["unnumbered_hunks", plain.replace(/@@.*@@/, "@@")],
    ["unfenced", git],
    ["unfenced", `Sure:\n\n${git}\nDone.`],
    ["unfenced", `diff\nCopy code\n${git}`],
    ["json", JSON.stringify({ diff: git })],
    ["json", fence(`${JSON.stringify({ summary: "x", diff: git }, null, 2)}\n`, "json")],
    ["json", JSON.stringify({ answer: fence(git, "diff") })],
    ["tags", `<diff>\n${git}</diff>\n`],
    ["tags", `Sure.\n<patch>\n${git}</patch>\n`],
    ["whole_file", fence("ONE\ntwo\nthree\n", "txt a.txt")],
    ["whole_file", fence("ONE\ntwo\nthree\n", 'txt title="a.txt"')],
    ["whole_file", `**a.txt**\n\`\`\`\nONE\ntwo\nthree\n\`\`\`\n`],
  ])("%s: %j", (conversion, answer) => {
    expect(read(answer).conversion).toBe(conversion);
    expect(after(answer)).toEqual(done);
  });

  it("prints what git would print", () => {
    expect(read(tool).text).toBe(git);
    expect(read(fence(plain, "diff")).text).toBe(git);
    expect(read(`long.txt\n<<<<<<< SEARCH\nline 20\n=======\nline 20\nnew\n>>>>>>> REPLACE\n`).text).toBe(
      "diff --git a/long.txt b/long.txt\n--- a/long.txt\n+++ b/long.txt\n@@ -19,6 +19,7 @@\n line 18\n line 19\n line 20\n+new\n line 21\n line 22\n line 23\n",
    );
  });

  it("apply_patch: files are added, deleted and moved", () => {
    const answer =
      "*** Begin Patch\n*** Add File: n.txt\n+hello\n+\n*** Delete File: a.txt\n*** Update File: ünï.txt\n*** Move to: u.txt\n@@\n-one\n+eins\n*** End Patch\n";
    expect(after(answer)).toEqual({ "n.txt": "hello\n\n", "a.txt": null, "ünï.txt": null, "u.txt": "eins\n" });
    expect(after("*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n*** End Patch\n")).toEqual({
      "a.txt": null,
      "b.txt": files["a.txt"],
    });
  });

  it("apply_patch: a line behind @@ decides between places, with any indentation", () => {
    const answer =
      "*** Begin Patch\n*** Update File: src/x.py\n@@ class B:\n     def f(self):\n-        return 1\n+        return 2\n*** End Patch\n";
    expect(after(answer)["src/x.py"]).toBe(`${files["src/x.py"]?.slice(0, -2) ?? ""}2\n`);
    expect(read(answer.replace("@@ class B:", "@@")).reason).toBe("ambiguous_context");
    expect(read(answer.replace("@@ class B:", "@@ def f(self):")).reason).toBe("ambiguous_context");
  });

  it("apply_patch: chunks follow each other, and one may be at the end of the file", () => {
    const two = "@@\n-x\n+1\n y\n@@\n-x\n+2\n y\n";
    expect(read(`*** Begin Patch\n*** Update File: same.txt\n${two}*** End Patch\n`).reason).toBe("ambiguous_context");
    const last = "@@\n x\n-y\n+z\n*** End of File\n";
    expect(after(`*** Begin Patch\n*** Update File: same.txt\n${last}*** End Patch\n`)).toEqual({
      "same.txt": "x\ny\nx\nz\n",
    });
  });

  it("line ends and the missing last one stay as they are", () => {
    const crlf = tool.replace("a.txt", "crlf.txt");
    expect(after(crlf)).toEqual({ "crlf.txt": "ONE\r\ntwo\r\nthree\r\n" });
    const cut = "*** Begin Patch\n*** Update File: noeol.txt\n@@\n one\n-two\n+TWO\n+three\n*** End Patch\n";
    expect(after(cut)).toEqual({ "noeol.txt": "one\nTWO\nthree" });
    const more = cut.replace("-two\n+TWO\n", " two\n");
    expect(after(more)).toEqual({ "noeol.txt": "one\ntwo\nthree" });
  });

  it("several SEARCH blocks of one file are one change, also in several fences", () => {
    const second = "<<<<<<< SEARCH\nthree\n=======\nTHREE\n>>>>>>> REPLACE\n";
    const both = { "a.txt": "ONE\ntwo\nTHREE\n" };
    expect(after(fence(`a.txt\n${search}${second}`))).toEqual(both);
    expect(after(`a.txt\n\`\`\`\n${search}\`\`\`\na.txt\n\`\`\`\n${second}\`\`\`\n`)).toEqual(both);
  });

  it("an empty SEARCH makes a new file", () => {
    expect(after(fence("new/n.txt\n<<<<<<< SEARCH\n=======\nhello\n>>>>>>> REPLACE\n"))).toEqual({
      "new/n.txt": "hello\n",
    });
  });

  it("a fence around lines that look like a fence ends at the first column", () => {
    const diff =
      "diff --git a/doc.md b/doc.md\n--- a/doc.md\n+++ b/doc.md\n@@ -1,7 +1,7 @@\n # T\n \n ```js\n-let a = 1;\n+let a = 2;\n ```\n \n end\n";
    expect(read(fence(diff, "diff"))).toMatchObject({ conversion: "nested_fence", partial: false });
    expect(after(fence(diff, "diff"))["doc.md"]).toContain("let a = 2;");
    expect(after(`${fence(diff, "diff")}\nand\n\n${fence(git, "diff")}`)).toMatchObject(done);
    expect(after(diff)["doc.md"]).toContain("let a = 2;");
    expect(read(`\`\`\`diff\n${diff}`)).toMatchObject({ valid: false, reason: "partial_fence", partial: true });
  });

  it("a diff of renames or modes alone is taken where the files are as it says", () => {
    const rename = "diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n";
    const mode = "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n";
    expect(read(fence(rename, "diff"))).toMatchObject({ valid: true, text: rename, conversion: "rename_or_mode" });
    expect(read(fence(mode, "diff"))).toMatchObject({ valid: true, conversion: "rename_or_mode" });
    expect(read(fence(rename.replaceAll("a.txt", "gone.txt"), "diff"))).toMatchObject({
      valid: false,
      reason: "no_numeric_hunk",
    });
    expect(diffOfAnswer(fence(rename, "diff"))).toMatchObject({ valid: false, reason: "no_numeric_hunk" });
  });

  it("entities become characters only where the diff fits without them and not with them", () => {
    const escaped =
      'diff --git a/page.html b/page.html\n--- a/page.html\n+++ b/page.html\n@@ -1 +1 @@\n-&lt;a href="x"&gt;T &amp; C&lt;/a&gt;\n+&lt;a href="y"&gt;T &amp; C&lt;/a&gt;\n';
    expect(after(fence(escaped, "diff"))).toEqual({ "page.html": '<a href="y">T & C</a>\n' });
    expect(read(fence(escaped, "diff")).conversion).toBe("escaped_html");
    const meant = git.replace("+ONE", "+&lt;");
    expect(read(fence(meant, "diff"))).toMatchObject({ conversion: null, text: meant });
  });

  it("a new whole file is named at its fence", () => {
    expect(after(fence("a\n", "ts src/n.ts"))).toEqual({ "src/n.ts": "a\n" });
    expect(after(fence("a\n", "src/n.ts"))).toEqual({ "src/n.ts": "a\n" });
    for (const info of ["node.js", "python 3.11", "12:15:src/n.ts", "ts"])
      expect(read(fence("a\n", info)).reason).toBe("no_diff_block");
    expect(read(`**out.txt**\n\`\`\`\nresult\n\`\`\`\n`).reason).toBe("no_diff_block");
  });
});

describe("[T-34] what is not exact is refused with the reason", () => {
  it.each([
    ["context_mismatch", tool.replace("-one", "-uno")],
    ["context_mismatch", tool.replace("a.txt", "gone.txt")],
    ["context_mismatch", tool.replace(" two", " two  ")],
    ["ambiguous_context", tool.replace("a.txt", "same.txt").replace("-one\n+ONE\n two", "-x\n+z")],
    ["ambiguous_context", "*** Begin Patch\n*** Update File: a.txt\n@@\n+new\n*** End Patch\n"],
    ["unsafe_path", tool.replace("a.txt", "../a.txt")],
    ["unsafe_path", tool.replace("a.txt", "/etc/passwd")],
    ["unsafe_path", tool.replace("a.txt", ".git/config")],
    ["unsafe_path", tool.replace("Update File: a.txt", "Add File: .git/hooks/x").replace(/@@[^*]*/, "+x\n")],
    ["unsafe_path", tool.replace("a.txt", "a.txt\n*** Move to: ../b.txt")],
    ["unsafe_path", `../a.txt\n${search}`],
    ["unsafe_path", fence("x\n", "ts ../../n.ts")],
    ["unsafe_path", fence(plain.replaceAll("a.txt", "../a.txt"), "diff")],
    ["partial_fence", tool.replace("*** End Patch\n", "")],
    ["partial_fence", fence("a.txt\n<<<<<<< SEARCH\none\n=======\nONE\n")],
    ["patch_malformed", tool.replace("@@", "*** What: x")],
    ["patch_malformed", fence(`cd .. && apply_patch <<'EOF'\n${tool}EOF\n`, "bash")],
    ["patch_malformed", fence(`${plain}And so on.\n`, "diff")],
    ["ambiguous_context", fence(`a.txt\n${search.replace("ONE", "ONE\n=======\nTWO")}`)],
    ["invalid_diff", fence(search).replace("Here:", "Use <this> change:")],
    ["hunk_overlap", fence(`a.txt\n${search}${search.replace("ONE", "UNO")}`)],
    ["ambiguous_blocks", `${fence(tool)}\n${fence(plain, "diff")}`],
    ["ambiguous_blocks", `${fence(plain, "diff")}\n${fence(plain.replace("ONE", "UNO"), "diff")}`],
    ["ambiguous_blocks", tool.replace("*** End", "*** Delete File: A.TXT\n*** End")],
    ["empty_patch", fence(`a.txt\n${search.replace("ONE", "one")}`)],
    ["header_mismatch", fence(plain.replace("+++ b/a.txt", "+++ b/b.txt"), "diff")],
    ["header_mismatch", fence(`diff --git a/a.txt b/a.txt\n${plain.replace("+++ b/a.txt", "+++ b/long.txt")}`, "diff")],
    ["invalid_diff", fence("two\n", "txt a.txt")],
    ["invalid_diff", fence("ONE\ntwo\n", "txt a.txt")],
    ["invalid_diff", fence("ONE\n// ...\nthree\n", "txt a.txt")],
    ["invalid_diff", fence(`${files["long.txt"]?.split("\n").slice(5).join("\n") ?? ""}`, "txt long.txt")],
  ])("%s: %j", (reason, answer) => {
    expect(read(answer)).toMatchObject({ valid: false, reason, patch: null, text: null });
  });

  it.each([
    ["reasoning", `<think>\n${tool}</think>\nNothing to do.\n`],
    ["a quotation", `> ${tool.trimEnd().replaceAll("\n", "\n> ")}\n`],
    ["a comment", `<!--\n${tool}-->\nNothing.\n`],
    ["a quoted document", fence(fence(git, "diff"), "markdown", "~~~~")],
    ["the output of a program", fence("--- expected\n+++ actual\n@@ -1 +1 @@\n-1\n+2\n", "text")],
    ["JSON in JSON", JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ diff: git }) }) })],
  ])("%s proposes nothing", (_what, answer) => {
    expect(read(answer)).toMatchObject({ valid: false, conversion: null, patch: null });
  });

  it("links are not written through", () => {
    const tree = treeOf(files, ["a.txt"]);
    expect(diffOfAnswer(tool, { tree })).toMatchObject({ valid: false, reason: "symlink_change" });
  });

  it("[T-16] a prefix holds for converted changes", () => {
    expect(read(tool, { restrictPathPrefix: "src" })).toMatchObject({ valid: false, reason: "outside_prefix" });
  });

  it("[T-15] strict mode converts nothing", () => {
    for (const answer of [tool, fence(plain, "diff"), git, `a.txt\n${search}`, JSON.stringify({ diff: git })])
      expect(read(answer, { strict: true })).toMatchObject({ valid: false, conversion: null });
  });

  it("without files only what needs none is converted", () => {
    expect(diffOfAnswer(fence(plain, "diff"))).toMatchObject({ valid: true, text: git });
    expect(diffOfAnswer(tool)).toMatchObject({ valid: false, reason: "context_mismatch" });
  });

  it("another directive's answer is not converted", () => {
    expect(read(tool, { requireAck: "ack-1" })).toMatchObject({ valid: false, reason: "stale_response" });
  });
});

describe("hostile answers", () => {
  const many = 40_000;
  it.each([
    ["tags and fences", `${"<think>\n```\n```\n</think>\n".repeat(many)}${tool}`],
    ["begins without end", "*** Begin Patch\n".repeat(many)],
    ["searches without end", "<<<<<<< SEARCH\n".repeat(many)],
    ["headers", "--- a\n+++ b\n".repeat(many)],
    ["hunks", `--- a/a.txt\n+++ b/a.txt\n${"@@ @@\n-one\n+ONE\n".repeat(many)}`],
    [
      "files",
      Array.from({ length: many }, (_, at) => `*** Begin Patch\n*** Delete File: f${at}\n*** End Patch\n`).join(""),
    ],
    ["opening tags", "<diff>\n".repeat(many)],
    ["closing marks that never come", "```diff\ndiff --git a/a b/a\n ```\n".repeat(many)],
    ["brackets", `{"a":${"[".repeat(many)}`],
    ["numbers", `--- a/a.txt\n+++ b/a.txt\n@@ -1,999999 +1,999999 @@\n${" x\n".repeat(many)}`],
  ])("%s are read in time and refused or taken whole", (_what, answer) => {
    const from = performance.now();
    read(answer);
    expect(performance.now() - from).toBeLessThan(8000);
  });

  it("a search in a long file of equal lines is bounded", () => {
    const long = "x\n".repeat(200_000);
    const chunks = "@@\n-x\n+y\n".repeat(2000);
    const answer = `*** Begin Patch\n*** Update File: l.txt\n${chunks}*** End Patch\n`;
    expect(diffOfAnswer(answer, { tree: treeOf({ "l.txt": long }) }).valid).toBe(false);
  });
});

it("an answer with hundreds of thousands of sections is answered, not a fault", () => {
  const sections = Array.from({ length: 300_000 }, (_, index) => `*** Delete File: f${index}\n`).join("");
  expect(diffOfAnswer(`*** Begin Patch\n${sections}*** End Patch\n`, { tree: treeOf({}) }).valid).toBe(false);
});

describe("lines that two texts share", () => {
  it("edits turn one into the other, for random texts", () => {
    let seed = 7;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const lines = () => Array.from({ length: next(30) }, () => String(next(4)));
    for (let round = 0; round < 2000; round++) {
      const [one, two] = [lines(), lines()];
      const out: string[] = [];
      let at = 0;
      for (const { from, to, lines: added } of diffLines(one, two) ?? []) {
        out.push(...one.slice(at, from), ...added);
        at = to;
      }
      expect([...out, ...one.slice(at)]).toEqual(two);
    }
  });
});
