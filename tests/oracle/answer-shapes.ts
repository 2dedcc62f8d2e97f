// Answers that break naive extractors, and what each comes to through the real command in a real work tree.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { RunResult } from "../../src/core/contract/transport/index.ts";
import { resultSchema } from "../../src/core/contract/transport/schema/index.ts";
import { conversionReasons } from "../../src/core/patch/convert/index.ts";
import { diffReasons } from "../../src/core/patch/reply/index.ts";
import { Bench } from "./bench.ts";

const files = {
  "src/app.js": "const a = 1;\nconst b = 2;\nconst c = 3;\n",
  "src/one.txt": "one\n",
  "src/with space.txt": "blank\n",
  "src/é.txt": "accent\n",
  "src/tail.txt": "start\n\n",
  "src/crlf.txt": "one\r\ntwo\r\n",
  "docs/guide.md": "# Guide\n\n```js\nold();\n```\n",
};

const body = `@@ -1,3 +1,3 @@
 const a = 1;
-const b = 2;
+const b = 22;
 const c = 3;
`;
const head = "--- a/src/app.js\n+++ b/src/app.js\n";
const good = `diff --git a/src/app.js b/src/app.js\n${head}${body}`;
const app22 = { "src/app.js": "const a = 1;\nconst b = 22;\nconst c = 3;\n" };
const patchOf = (path: string, from: string, to: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
const one = patchOf("src/one.txt", "one", "uno");
const block = (text: string, info = "diff", mark = "```") => `${mark}${info}\n${text}${mark}\n`;

interface Row {
  readonly name: string;
  readonly answer: string;
  readonly status: RunResult["status"];
  readonly reason?: string | RegExp;
  /** Files and their content after a success. */
  readonly after?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** One of each kind runs on each change, the others with the long tests. */
const onEachChange: ReadonlySet<string> = new Set([
  "a plain fenced diff",
  "two blocks, one for each file, merged",
  "two diffs for the same file",
  "an answer cut in the middle of a hunk",
  "a fence without a diff",
  "an unfenced diff",
  "a hunk header with an overflowing number",
  "a pure rename as the whole answer",
  "an LF answer for a CRLF file",
  "a quoted path",
  "a folder that only starts like the prefix",
  "a write into .git/hooks",
  "a Begin Patch envelope",
  "four hundred fences and a megabyte",
  "a hunk that does not fit",
]);

const rows: readonly Row[] = [
  { name: "a plain fenced diff", answer: `Sure.\n\n${block(good)}\nDone.`, status: "success", after: app22 },
  {
    name: "an info string of several words",
    answer: block(good, "diff title=x patch"),
    status: "success",
    after: app22,
  },
  { name: "a fence of four backticks", answer: block(good, "diff", "````"), status: "success", after: app22 },
  { name: "no tag at all", answer: block(good, ""), status: "success", after: app22 },
  { name: "a wrong tag", answer: block(good, "js"), status: "success", after: app22 },
  {
    name: "a tag in capitals glued to other words",
    answer: block(good, "DIFF:src/app.js"),
    status: "success",
    after: app22,
  },
  {
    name: "two files in one block",
    answer: block(good + one),
    status: "success",
    after: { ...app22, "src/one.txt": "uno\n" },
  },
  {
    name: "two blocks, one for each file, merged",
    answer: `First:\n\n${block(good)}\nSecond:\n\n${block(one)}`,
    status: "success",
    after: { ...app22, "src/one.txt": "uno\n" },
  },
  {
    name: "two diffs for the same file",
    answer: `${block(one)}\nOr better:\n\n${block(patchOf("src/one.txt", "one", "eins"))}`,
    status: "invalid_diff",
    reason: "ambiguous_blocks",
  },
  {
    name: "a bad example, then the real one",
    answer: `Do not apply this:\n\n${block(patchOf("src/one.txt", "one", "BAD"))}\nApply this:\n\n${block(one)}`,
    status: "invalid_diff",
    reason: "ambiguous_blocks",
  },
  { name: "a tilde fence", answer: block(good, "diff", "~~~"), status: "success", after: app22 },
  {
    name: "a fence indented in a list",
    answer: `1. Do this:\n\n   \`\`\`diff\n${good.replaceAll(/^/gm, "   ").trimEnd()}\n   \`\`\`\n`,
    status: "success",
    after: app22,
  },
  {
    name: "a diff of a Markdown file with fences inside, outer fence of 4",
    answer: block(
      "diff --git a/docs/guide.md b/docs/guide.md\n--- a/docs/guide.md\n+++ b/docs/guide.md\n@@ -1,5 +1,5 @@\n # Guide\n \n ```js\n-old();\n+fresh();\n ```\n",
      "diff",
      "````",
    ),
    status: "success",
    after: { "docs/guide.md": "# Guide\n\n```js\nfresh();\n```\n" },
  },
  {
    name: "a diff that adds a Markdown file with fences inside, outer fence of 3",
    answer: block(
      "diff --git a/docs/new.md b/docs/new.md\nnew file mode 100644\n--- /dev/null\n+++ b/docs/new.md\n@@ -0,0 +1,3 @@\n+```js\n+run();\n+```\n",
    ),
    status: "success",
    after: { "docs/new.md": "```js\nrun();\n```\n" },
  },
  {
    name: "an inline mention of a fence before the real block",
    answer: `Use \`\`\`diff fences, like this one:\n\n${block(good)}`,
    status: "success",
    after: app22,
  },
  { name: "an unclosed fence", answer: `\`\`\`diff\n${good}`, status: "partial", reason: "partial_fence" },
  {
    name: "an answer cut in the middle of a hunk",
    answer: `\`\`\`diff\n${good.slice(0, -25)}`,
    status: "partial",
    reason: "partial_fence",
  },
  {
    name: "a complete bash fence, then a truncated diff",
    answer: `${block("npm test\n", "bash")}\n\`\`\`diff\n${good.slice(0, -10)}`,
    status: "partial",
    reason: "partial_fence",
  },
  {
    name: "one closed diff and then an unclosed one",
    answer: `${block(one)}\n\`\`\`diff\n${good.slice(0, -10)}`,
    status: "partial",
    reason: "partial_fence",
  },
  {
    name: "a fence without a diff",
    answer: block("npm test\n", "bash"),
    status: "diff_missing",
    reason: "no_diff_block",
  },
  {
    name: "an unfenced diff",
    answer: `Here:\n\n${good}`,
    status: "success",
    reason: "converted_unfenced",
    after: app22,
  },
  {
    name: "the text of a rendered page",
    answer: `diff\nCopy code\n${good}`,
    status: "success",
    reason: "converted_unfenced",
    after: app22,
  },
  {
    name: "line numbers of a page copied into the block",
    answer: block(
      good
        .split("\n")
        .map((line, index) => `${index + 1} ${line}\n`)
        .join(""),
    ),
    status: "diff_missing",
    reason: "no_diff_block",
  },
  {
    name: "--- and +++ without a git header",
    answer: block(head + body),
    status: "success",
    reason: "converted_unified_diff",
    after: app22,
  },
  { name: "a short hunk header", answer: block(one), status: "success", after: { "src/one.txt": "uno\n" } },
  {
    name: "a new file with @@ -0,0 +1 @@",
    answer: block(
      "diff --git a/src/new.txt b/src/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/src/new.txt\n@@ -0,0 +1 @@\n+fresh\n",
    ),
    status: "success",
    after: { "src/new.txt": "fresh\n" },
  },
  {
    name: "a hunk header without numbers",
    answer: block(good.replace("@@ -1,3 +1,3 @@", "@@ ... @@")),
    status: "success",
    reason: "converted_unnumbered_hunks",
    after: app22,
  },
  {
    name: "a hunk header with an overflowing number",
    answer: block(good.replace("@@ -1,3 +1,3 @@", "@@ -99999999999999999999,3 +1,3 @@")),
    status: "invalid_diff",
    reason: "hunk_header_malformed",
  },
  {
    name: "a pure rename as the whole answer",
    answer: block(
      "diff --git a/src/one.txt b/src/uno.txt\nsimilarity index 100%\nrename from src/one.txt\nrename to src/uno.txt\n",
    ),
    status: "success",
    reason: "converted_rename_or_mode",
    after: { "src/uno.txt": "one\n" },
  },
  {
    name: "a mode change as the whole answer",
    answer: block("diff --git a/src/one.txt b/src/one.txt\nold mode 100644\nnew mode 100755\n"),
    status: "success",
    reason: "converted_rename_or_mode",
    after: { "src/one.txt": "one\n" },
  },
  {
    name: "a pure rename beside a change",
    answer: block(
      `${good}diff --git a/src/one.txt b/src/uno.txt\nsimilarity index 100%\nrename from src/one.txt\nrename to src/uno.txt\n`,
    ),
    status: "success",
    after: { ...app22, "src/uno.txt": "one\n" },
  },
  {
    name: "an answer with CRLF",
    answer: block(good).replaceAll("\n", "\r\n"),
    status: "success",
    after: app22,
  },
  {
    name: "an LF answer for a CRLF file",
    answer: block(
      "diff --git a/src/crlf.txt b/src/crlf.txt\n--- a/src/crlf.txt\n+++ b/src/crlf.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n",
    ),
    status: "success",
    after: { "src/crlf.txt": "one\r\nzwei\r\n" },
  },
  {
    name: "a last context line that is blank",
    answer: block(
      "diff --git a/src/tail.txt b/src/tail.txt\n--- a/src/tail.txt\n+++ b/src/tail.txt\n@@ -1,2 +1,2 @@\n-start\n+begin\n \n",
    ),
    status: "success",
    after: { "src/tail.txt": "begin\n\n" },
  },
  {
    name: "wrong counts with an unambiguous body",
    answer: block(good.replace("@@ -1,3 +1,3 @@", "@@ -1,4 +1,9 @@")),
    status: "success",
    after: app22,
  },
  { name: "a zero-width space before the header", answer: block(`\u200b${good}`), status: "invalid_diff" },
  {
    name: "a path with a space",
    answer: block(
      "diff --git a/src/with space.txt b/src/with space.txt\n--- a/src/with space.txt\t\n+++ b/src/with space.txt\t\n@@ -1 +1 @@\n-blank\n+filled\n",
    ),
    status: "success",
    after: { "src/with space.txt": "filled\n" },
    flags: ["--restrict-path-prefix", "src", "--strict-diff"],
  },
  {
    name: "a quoted path",
    answer: block(
      'diff --git "a/src/\\303\\251.txt" "b/src/\\303\\251.txt"\n--- "a/src/\\303\\251.txt"\n+++ "b/src/\\303\\251.txt"\n@@ -1 +1 @@\n-accent\n+grave\n',
    ),
    status: "success",
    after: { "src/é.txt": "grave\n" },
    flags: ["--strict-diff"],
  },
  {
    name: "a second section with only --- and +++ outside the prefix",
    answer: block(`${good}--- a/docs/guide.md\n+++ b/docs/guide.md\n@@ -1 +1 @@\n-# Guide\n+# Evil\n`),
    status: "invalid_diff",
    flags: ["--restrict-path-prefix", "src"],
  },
  {
    name: "a folder that only starts like the prefix",
    answer: block(
      "diff --git a/src-evil/e.txt b/src-evil/e.txt\nnew file mode 100644\n--- /dev/null\n+++ b/src-evil/e.txt\n@@ -0,0 +1 @@\n+x\n",
    ),
    status: "invalid_diff",
    reason: "outside_prefix",
    flags: ["--restrict-path-prefix", "src/"],
  },
  {
    name: "a symlink out of the tree",
    answer: block(
      "diff --git a/src/l b/src/l\nnew file mode 120000\n--- /dev/null\n+++ b/src/l\n@@ -0,0 +1 @@\n+/nowhere/canary\n\\ No newline at end of file\n",
    ),
    status: "invalid_diff",
    reason: "symlink_create",
  },
  {
    name: "a write into .git/hooks",
    answer: block(
      "diff --git a/.git/hooks/pre-commit b/.git/hooks/pre-commit\nnew file mode 100755\n--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+#!/bin/sh\n",
    ),
    status: "invalid_diff",
    reason: /git_dir|unsafe_path/,
  },
  {
    name: "an unsafe block beside a safe one",
    answer: `${block(one)}\n${block("diff --git a/../x b/../x\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n")}`,
    status: "invalid_diff",
    reason: /unsafe_path|path_traversal/,
  },
  {
    name: "a diff quoted inside a bigger fence",
    answer: `\`\`\`\`markdown\nExample:\n\n${block(good)}\`\`\`\`\n`,
    status: "diff_missing",
    reason: "no_diff_block",
  },
  {
    name: "a Begin Patch envelope",
    answer: block("*** Begin Patch\n*** Update File: src/one.txt\n@@\n-one\n+uno\n*** End Patch\n", ""),
    status: "success",
    reason: "converted_apply_patch",
    after: { "src/one.txt": "uno\n" },
  },
  {
    name: "a Begin Patch envelope in strict mode",
    answer: block("*** Begin Patch\n*** Update File: src/one.txt\n@@\n-one\n+uno\n*** End Patch\n", ""),
    status: "diff_missing",
    reason: "no_diff_block",
    flags: ["--strict-diff"],
  },
  {
    name: "a pure rename in strict mode",
    answer: block("diff --git a/src/one.txt b/src/u.txt\nrename from src/one.txt\nrename to src/u.txt\n"),
    status: "invalid_diff",
    reason: "no_numeric_hunk",
    flags: ["--strict-diff"],
  },
  {
    name: "a JSON envelope with the diff as a string",
    answer: block(`${JSON.stringify({ diff: good })}\n`, "json"),
    status: "success",
    reason: "converted_json",
    after: app22,
  },
  {
    name: "a combined diff",
    answer: block(
      "diff --cc src/app.js\nindex 1,2..3\n--- a/src/app.js\n+++ b/src/app.js\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n",
    ),
    status: "invalid_diff",
  },
  { name: "an empty answer", answer: "", status: "diff_missing", reason: "empty" },
  {
    name: "four hundred fences and a megabyte",
    answer: `${block(`${"x".repeat(2500)}\n`, "text").repeat(400)}${block(one)}`,
    status: "success",
    after: { "src/one.txt": "uno\n" },
  },
  {
    name: "a hunk that does not fit",
    answer: block(patchOf("src/one.txt", "eins", "uno")),
    status: "apply_failed",
    reason: "context_mismatch",
  },
];

/** The tests of the answers that run on each change, or of those that do not. */
export function describeAnswers(isOnEachChange: boolean): void {
  let bench: Bench;
  let commit: string;
  beforeAll(() => {
    bench = new Bench().withRepository(files);
    commit = bench.git("rev-parse", "HEAD");
  });
  afterAll(() => bench.dispose());
  beforeEach(() => {
    bench.git("reset", "-q", "--hard", commit);
    bench.git("clean", "-fdq");
  });

  it.each(rows.filter(({ name }) => onEachChange.has(name) === isOnEachChange))(
    "[T-12][T-13][T-14] $name: $status",
    async (row) => {
      bench.double([{ answer: row.answer }]);
      const ran = await bench.run(["-p", "please change it", "--apply-mode", "apply", "--json", ...(row.flags ?? [])]);
      const result = resultSchema.parse(JSON.parse(ran.stdout));
      expect(result.status, ran.stderr).toBe(row.status);
      const isDone = row.status === "success";
      expect(result).toMatchObject(
        isDone
          ? { diffValidated: true, diffApplied: true, diffReason: row.reason ?? null }
          : { diffApplied: false, treeHoldsPatch: false },
      );
      expect(isDone ? [...conversionReasons, null] : diffReasons).toContain(result.diffReason);
      expect(String(result.diffReason)).toMatch(row.reason instanceof RegExp ? row.reason : /^/);
      expect(result.diffReason).toBe(typeof row.reason === "string" ? row.reason : result.diffReason);
      const after = isDone ? Object.entries(row.after ?? {}) : [];
      for (const [path, text] of after) expect(bench.read(path)).toBe(text);
      const status = bench.git("status", "--porcelain", "-z", "-uall", "--no-renames");
      const changed = status.split("\0").filter(Boolean);
      expect(changed.length).toBeGreaterThanOrEqual(after.length);
      expect(isDone ? [] : changed).toEqual([]);
      expect(existsSync(join(bench.repo, ".git/hooks/pre-commit"))).toBe(false);
    },
  );
}
