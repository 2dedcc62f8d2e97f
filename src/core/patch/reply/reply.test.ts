// From an answer to one diff: the shapes models write, and what must not be taken from them.
import { describe, expect, it } from "vitest";
import { diffReasons, extractReply, pathsOutside, scoreBlock, selectDiff, strictFault } from "./index.ts";

const edit = (path: string, line = "22") =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n a\n-b\n+${line}\n c\n`;
const rename = "diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n";
const fenced = (text: string, info = "diff", fence = "```") => `${fence}${info}\n${text}${fence}\n`;

const reply = (text: string) => {
  const { selected, reason } = extractReply(text);
  return selected === null ? reason : { selected };
};
const picks = (text: string) => ({ selected: text });

const draft = "diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-1\n+2\n";
const final = draft.replace("+2", "+3");
const block = (text: string) => `~~~diff\n${text}~~~\n`;

describe("a model that thinks aloud", () => {
  it.each(["<think>", '<think depth="2">', "<THINKING>", "<antThinking>", "<inner_monologue>"])(
    "the answer may follow %s and its end without a blank line",
    (open) => {
      const close = open.replace(/^<([\w]+).*$/, "</$1>");
      const text = `${open}\n${fenced(edit("draft"))}${close}\n${fenced(edit("f"))}`;
      expect(selectDiff(text)).toMatchObject({ valid: true, text: edit("f") });
    },
  );

  it.each(["think", "thinking", "scratchpad", "reasoning"])("a draft in <%s> is not an answer", (name) => {
    const thought = `<${name}>\nMaybe:\n\n${block(draft)}\n</${name}>\n`;
    expect(selectDiff(`${thought}\n${block(final)}`)).toMatchObject({ valid: true, text: final });
    expect(selectDiff(thought)).toMatchObject({ valid: false, reason: "no_fenced_blocks", text: null });
    expect(selectDiff(`Maybe:\n\n${block(draft)}\n</${name}>\n\n${block(final)}`)).toMatchObject({
      text: final,
    });
    expect(selectDiff(`${block(final)}\n<${name}>\n${block(draft)}`)).toMatchObject({ text: final });
  });

  it("a tag inside the diff is part of the file", () => {
    const page = draft.replace("+2", "+</think>");
    expect(selectDiff(block(page))).toMatchObject({ valid: true, text: page });
  });

  it("the same diff twice counts once, another diff for the file does not", () => {
    expect(selectDiff(`${block(final)}\nAgain:\n\n${block(final)}`)).toMatchObject({
      valid: true,
      text: final,
    });
    expect(selectDiff(`${block(draft)}\nOr:\n\n${block(final)}`)).toMatchObject({
      reason: "ambiguous_blocks",
    });
  });
});

describe("[T-12] every fenced block is a candidate", () => {
  it.each([
    "diff",
    "patch",
    "",
    "DIFF",
    "diff title=src/app.js",
    "js",
    "diff --git",
    "text",
    "{.diff}",
    "git-diff hl_lines=1",
  ])("with the words %j behind the fence", (info) => {
    expect(reply(`Fix:\n\n${fenced(edit("f"), info)}\nDone.`)).toEqual(picks(edit("f")));
  });

  it.each(["```", "````", "``````````", "~~~", "~~~~~"])("with a fence of %s", (fence) => {
    expect(reply(fenced(edit("f"), "diff", fence))).toEqual(picks(edit("f")));
  });

  it("a closing fence may be longer, and blanks may follow it", () => {
    expect(reply(`\`\`\`diff\n${edit("f")}\`\`\`\`\`  \n`)).toEqual(picks(edit("f")));
  });

  it("the last fence needs no line end", () => {
    expect(reply(fenced(edit("f")).trimEnd())).toEqual(picks(edit("f")));
  });

  it("in a list the container's and the fence's own indentation go, and nothing else", () => {
    const indent = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by);
    expect(reply(`1. Fix:\n\n${indent(fenced(edit("f")), "   ")}`)).toEqual(picks(edit("f")));
    expect(reply(`- Fix:\n${indent(fenced(edit("f")), "  ")}`)).toEqual(picks(edit("f")));
    expect(reply(`- Fix:\n  - Now:\n${indent(fenced(edit("f")), "    ")}`)).toEqual(picks(edit("f")));
    expect(reply(`   \`\`\`diff\n${indent(edit("f"), "   ")}   \`\`\`\n`)).toEqual(picks(edit("f")));
  });

  it("a blank context line in a list keeps its blank", () => {
    const diff = edit("f").replace(" c\n", " \n");
    expect(reply(`1. Fix:\n${fenced(diff).replaceAll(/^(?=.)/gm, "   ")}`)).toEqual(picks(diff));
  });

  it("a block indented like code is none", () => {
    expect(reply(`Fix:\n\n${fenced(edit("f")).replaceAll(/^/gm, "    ")}`)).toBe("no_fenced_blocks");
  });

  it("the words ``` in a line before open nothing", () => {
    expect(reply(`Use \`\`\` or ~~~ as a fence, like \`\`\`diff.\n\n${fenced(edit("f"))}`)).toEqual(picks(edit("f")));
    expect(reply(`\`\`\`not a fence\`\`\`\n${fenced(edit("f"))}`)).toEqual(picks(edit("f")));
  });

  it("content lines that look like fences stay content", () => {
    const body = "+# T\n+```bash\n+npm test\n+```\n ```\n-~~~\n";
    const diff = `diff --git a/g.md b/g.md\n--- a/g.md\n+++ b/g.md\n@@ -1,2 +1,5 @@\n${body}`;
    expect(reply(fenced(diff, "diff", "````"))).toEqual(picks(diff));
    const plus = edit("g.md", "```bash");
    expect(reply(fenced(plus))).toEqual(picks(plus));
  });

  it("[T-13] the score is the contract's", () => {
    expect(scoreBlock(edit("f"))).toBe(10);
    expect(scoreBlock(edit("f", "x".repeat(200)))).toBe(11);
    expect(scoreBlock(`Intro\n${edit("f")}`)).toBe(8);
    expect(scoreBlock(rename)).toBe(7);
    expect(scoreBlock("const a = 1;\n")).toBe(0);
    expect(scoreBlock("x".repeat(300))).toBe(1);
    expect(extractReply(`${fenced("ls\n", "bash")}${fenced(edit("f"))}`)).toMatchObject({
      diffBlocks: 2,
      diffScore: 10,
    });
  });
});

describe("answers with more than the diff", () => {
  const mine = edit("f");
  const draft = fenced(edit("f", "draft"));
  it.each([
    ["thoughts in brackets", `[THINK]\n${draft}[/THINK]\n${fenced(mine)}`],
    [
      "thoughts in a channel",
      `<|channel|>analysis<|message|>\n${draft}<|end|><|start|>assistant<|channel|>final<|message|>\n${fenced(mine)}`,
    ],
    [
      "thoughts in a folded part",
      `<details type="reasoning" done="true">\n<summary>x</summary>\n\n${draft}\n</details>\n\n${fenced(mine)}`,
    ],
    [
      "a folded part that is called thoughts",
      `<details><summary>Thought for 3 s</summary>\n\n${draft}\n</details>\n\n${fenced(mine)}`,
    ],
    ["a fence glued to the tag", `<scratchpad>${draft}</scratchpad>\n${fenced(mine)}`],
    ["thoughts in thoughts", `<think>a<think>${draft}</think>b</think>\n${fenced(mine)}`],
    ["an answer in a tag", `<think>${draft}</think><answer>\n${fenced(mine)}</answer>`],
    ["a tag that is only spoken about", `The tag \`<think>\` is cut.\n${fenced(mine)}Also \`</think>\`.`],
    [
      "the comparison that a test prints",
      `${fenced("--- expected\n+++ actual\n@@ -1 +1 @@\n-1\n+2\n", "text")}\n${fenced(mine)}`,
    ],
    ["the same diff three times", fenced(mine) + fenced(mine, "patch") + fenced(mine)],
    ["JSON that holds a diff", `${fenced(`${JSON.stringify({ diff: edit("f", "x") })}\n`, "json")}\n${fenced(mine)}`],
  ])("%s: the one diff is taken", (_what, text) => {
    expect(reply(text)).toEqual(picks(mine));
  });

  it.each([
    ["only quoted", `> ${draft.trimEnd().replaceAll("\n", "\n> ")}\n\nIt looks fine.`, "ambiguous_blocks"],
    ["only in thoughts", `<think>${draft}</think>\nNothing to do.`, "no_fenced_blocks"],
    ["thoughts without an end", `<think>\n${draft}\nstill`, "no_fenced_blocks"],
    ["JSON alone", JSON.stringify({ patch: mine }), "no_fenced_blocks"],
    [
      "a text block with paths of a diff",
      `${fenced("--- a/g\n+++ b/g\n@@ -1 +1 @@\n-1\n+2\n", "text")}\n${fenced(mine)}`,
      "invalid_diff",
    ],
  ])("%s: refused", (_what, text, reason) => {
    expect(reply(text)).toBe(reason);
  });
});

describe("several blocks", () => {
  it("for different files are one patch, in order", () => {
    expect(reply(fenced(edit("b")) + fenced(edit("a")))).toEqual(picks(edit("b") + edit("a")));
    expect(reply(fenced(edit("b")) + fenced(rename))).toEqual(picks(edit("b") + rename));
  });

  it.each([
    ["a correction", `${fenced(edit("f"))}Wait, corrected:\n${fenced(edit("f", "23"))}`],
    ["a longer alternative", `${fenced(edit("f"))}Or:\n${fenced(edit("f", "y".repeat(300)))}`],
    ["one file under two cases", fenced(edit("f")) + fenced(edit("F"))],
    ["a rename of what another edits", fenced(rename) + fenced(edit("a.txt"))],
    ["three, of which two overlap", fenced(edit("f")) + fenced(edit("g")) + fenced(edit("f", "23"))],
    ["one of them in a quote", `> ${fenced(edit("f")).trimEnd().replaceAll("\n", "\n> ")}\n\n${fenced(edit("g"))}`],
    ["one of them with words before it", fenced(`From the log:\n${edit("f")}`) + fenced(edit("g"))],
  ])("%s: refused as ambiguous", (_what, text) => {
    expect(reply(text)).toBe("ambiguous_blocks");
  });

  it("a diff in a quoted document is not proposed", () => {
    const evil = fenced(edit("f", "evil"));
    expect(reply(`The file says:\n${fenced(evil, "text", "````")}Mine:\n${fenced(edit("f"))}`)).toEqual(
      picks(edit("f")),
    );
    expect(reply(`The file says:\n${fenced(evil, "markdown", "~~~~")}Nothing to do.`)).toBe("no_diff_block");
  });

  it("a diff in a comment or in raw HTML is not proposed", () => {
    expect(reply(`<!--\n${fenced(edit("f", "evil"))}-->\n\n${fenced(edit("f"))}`)).toEqual(picks(edit("f")));
    expect(reply(`<pre>\n${fenced(edit("f"))}</pre>\n`)).toBe("no_fenced_blocks");
  });

  it("one unsafe block spoils the answer, whatever is beside it", () => {
    expect(reply(fenced(edit("f")) + fenced(edit("../x")))).toBe("unsafe_path");
    expect(reply(fenced(edit(".git/config")) + fenced(edit("f")))).toBe("unsafe_path");
    expect(reply(fenced(edit("f")) + fenced("--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n"))).toBe("unsafe_path");
    expect(reply(fenced(edit("f").replace("+++ b/f", "+++ b/../f")))).toBe("unsafe_path");
    expect(reply(fenced(edit("/etc/passwd")))).toBe("unsafe_path");
    expect(reply(fenced(edit("C:\\x")))).toBe("unsafe_path");
  });
});

describe("answers without a usable diff", () => {
  it.each([
    ["empty", ""],
    ["empty", " \n\t\n"],
    ["no_fenced_blocks", "Nothing to change."],
    ["no_fenced_blocks", edit("f")],
    ["no_fenced_blocks", `diff\nCopy code\n${edit("f")}`],
    ["no_fenced_blocks", `<pre>${edit("f")}</pre>`],
    ["no_fenced_blocks", JSON.stringify({ diff: edit("f") })],
    ["no_diff_block", fenced("npm test\n", "bash")],
    ["no_diff_block", fenced(JSON.stringify({ diff: edit("f") }), "json").replace("}```", "}\n```")],
    ["no_diff_block", fenced("*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n")],
    ["no_diff_block", fenced("-old line\n+new line\n")],
    ["no_diff_block", fenced(edit("f").replaceAll(/^(?=.)/gm, "12 "))],
    ["no_diff_block", fenced(edit("f").replaceAll(/^/gm, "  "))],
    ["invalid_diff", fenced("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n")],
    ["invalid_diff", fenced(`\u200b${edit("f")}`)],
    ["invalid_diff", fenced(`\ufeff${edit("f")}`)],
    ["invalid_diff", fenced(`\u00a0${edit("f")}`)],
    ["invalid_diff", fenced(edit("f")) + fenced("--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n")],
    ["partial_fence", `Fix:\n\`\`\`diff\n${edit("f")}`],
    ["partial_fence", `\`\`\`diff\n${edit("f").slice(0, -5)}`],
    ["partial_fence", `${fenced("npm ci\n", "bash")}\`\`\`diff\n${edit("f")}`],
    ["partial_fence", `${fenced(edit("f"))}And:\n\`\`\`diff\n${edit("g")}`],
    ["partial_fence", `\`\`\`diff\n${edit("f").trimEnd()}\`\`\``],
    ["partial_fence", `\`\`\`\`diff\n${edit("f")}\`\`\`\n`],
    ["partial_fence", `~~~diff\n${edit("f")}\`\`\`\n`],
    ["no_numeric_hunk", fenced(rename)],
    ["no_numeric_hunk", fenced("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n")],
    ["no_numeric_hunk", fenced(edit("f").replace(/@@.*@@/, "@@ ... @@"))],
    ["hunk_count_mismatch", fenced(edit("f").replace("-1,3 +1,3", "-1,9 +1,9"))],
    ["hunk_count_mismatch", fenced(edit("f").replace("-1,3 +1,3", "-1,2 +1,2"))],
    ["hunk_header_malformed", fenced(`${edit("f")}@@ ... @@\n-x\n+y\n`)],
    ["header_mismatch", fenced(edit("f").replace("+++ b/f", "+++ b/g"))],
    [
      "symlink_create",
      fenced(
        `diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/nowhere/canary\n\\ No newline at end of file\n`,
      ),
    ],
    ["patch_malformed", fenced(`${edit("f")}And now the second file.\n${edit("g")}`)],
    ["combined_diff", fenced(`${edit("f")}diff --cc g\nindex 1,2..3\n`)],
    ["duplicate_path", fenced(edit("f") + edit("f"))],
  ])("%s", (reason, text) => {
    expect(reply(text)).toBe(reason);
    expect(diffReasons).toContain(reason);
  });

  it("a fence closed by a later one is not a diff", () => {
    const text = `\`\`\`diff\n${edit("f").trimEnd()}\`\`\`\n\nThen run:\n\`\`\`bash\nnpm test\n\`\`\`\n`;
    expect(extractReply(text).selected).toBeNull();
  });
});

describe("bytes", () => {
  it("carried CRLF becomes LF, CRLF of the content stays", () => {
    expect(reply(`Fix:\n${fenced(edit("f"))}`.replaceAll("\n", "\r\n"))).toEqual(picks(edit("f")));
    const content = edit("f").replaceAll(/^([ +-].*)\n/gm, (line) =>
      line.startsWith("---") || line.startsWith("+++") ? line : line.replace("\n", "\r\n"),
    );
    expect(reply(fenced(content))).toEqual(picks(content));
  });

  it("trailing blanks, tabs, blank context and every letter survive", () => {
    const diff = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n é \u3000\n-\tb \n+\tб\u00a0\n \n 𝒳\n";
    expect(reply(fenced(diff))).toEqual(picks(diff));
  });

  it("quoted paths and paths with blanks are read by a real parser", () => {
    const spaced = edit("src/a b.txt");
    expect(reply(fenced(spaced))).toEqual(picks(spaced));
    const quoted = edit("f").replaceAll(/([ab])\/f/g, String.raw`"$1/caf\303\251"`);
    expect(reply(fenced(quoted))).toEqual(picks(quoted));
    expect(selectDiff(fenced(quoted)).paths).toEqual(["café"]);
  });

  it("a mail or `git show` before the first header is part of the block", () => {
    const text = `commit ${"a".repeat(40)}\nAuthor: x\n\n    Fix it\n\n${edit("f")}`;
    expect(reply(fenced(text))).toEqual(picks(text));
  });
});

describe("the directive an answer belongs to", () => {
  const ack = (text: string) => extractReply(text, { requireAck: "ack-7f3a" }).reason;
  it("must be acknowledged, and no other", () => {
    const diff = fenced(edit("f"));
    expect(ack(`directiveAck: ack-7f3a\n${diff}`)).toBe("ok");
    expect(ack(`**directiveAck**: \`ack-7f3a\`\n${diff}`)).toBe("ok");
    expect(ack(`${fenced('{"directiveAck": "ack-7f3a"}\n', "json")}${diff}`)).toBe("ok");
    expect(ack(`directiveAck: ack-0000\n${diff}`)).toBe("stale_response");
    expect(ack(`directiveAck: ack-7f3\n${diff}`)).toBe("stale_response");
    expect(ack(`directiveAck: ack-7f3a1\n${diff}`)).toBe("stale_response");
    expect(ack(`directiveAck: ack-0000, now directiveAck: ack-7f3a\n${diff}`)).toBe("stale_response");
    expect(ack(diff)).toBe("stale_response");
    expect(ack(fenced(edit("f", "directiveAck: ack-7f3a")))).toBe("stale_response");
  });
});

describe("a diff for the transport", () => {
  it("says what was found, whether it may be used, and why not", () => {
    expect(selectDiff(fenced(edit("f")))).toMatchObject({
      found: true,
      valid: true,
      reason: "ok",
      diffBlocks: 1,
      partial: false,
      paths: ["f"],
      mended: [],
    });
    expect(selectDiff("No.")).toMatchObject({
      found: false,
      valid: false,
      reason: "no_fenced_blocks",
      patch: null,
    });
    expect(selectDiff(fenced(rename))).toMatchObject({
      found: true,
      valid: false,
      reason: "no_numeric_hunk",
    });
    expect(selectDiff(`\`\`\`diff\n${edit("f")}`)).toMatchObject({
      found: true,
      valid: false,
      partial: true,
      diffBlocks: 0,
    });
  });

  it("[T-16] refuses a diff outside the prefix", () => {
    expect(selectDiff(fenced(edit("src/f")), { restrictPathPrefix: "src/" }).valid).toBe(true);
    expect(selectDiff(fenced(edit("src-evil/f")), { restrictPathPrefix: "src" })).toMatchObject({
      valid: false,
      reason: "outside_prefix",
    });
    expect(pathsOutside(rename, "src")).toEqual(["a.txt", "b.txt"]);
  });

  it("mends counts and mode lines where nothing is in doubt, and says so", () => {
    const wrong = edit("f").replace("-1,3 +1,3", "-1,7 +1,9");
    expect(selectDiff(fenced(wrong))).toMatchObject({
      valid: true,
      text: edit("f"),
      mended: ["hunk_counts"],
    });
    expect(selectDiff(fenced(wrong), { mend: false })).toMatchObject({
      valid: false,
      reason: "hunk_count_mismatch",
    });
    const bare = "diff --git a/n b/n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n";
    expect(selectDiff(fenced(bare))).toMatchObject({
      valid: true,
      text: bare.replace("---", "new file mode 100644\n---"),
      mended: ["file_mode"],
    });
    expect(selectDiff(fenced(`${wrong}\n`))).toMatchObject({ valid: false, reason: "hunk_count_mismatch" });
  });

  it("[T-15] strict mode refuses what the contract names", () => {
    expect(strictFault(edit("f"))).toBeUndefined();
    expect(strictFault(edit("f").replace("diff --git a/f b/f", "diff --git a/f"))).toBeDefined();
    for (const path of ["/etc/x", "../x", "src/../../x", "C:/x", "c:\\x"])
      expect(strictFault(edit(path))).toBeDefined();
    expect(strictFault(rename)).toMatch(/---/);
    expect(strictFault(edit("f").replace(/@@.*@@/, "@@ ... @@"))).toBeDefined();
    expect(strictFault(edit("f").replaceAll("a/f", "i/f").replaceAll("b/f", "w/f"))).toBeDefined();
    const mnemonic = fenced(edit("f").replaceAll("a/f", "i/f").replaceAll("b/f", "w/f"));
    expect(selectDiff(mnemonic).valid).toBe(true);
    expect(selectDiff(mnemonic, { strict: true })).toMatchObject({ valid: false, reason: "invalid_diff" });
  });
});
