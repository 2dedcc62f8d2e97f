// Every kind of name a patch must not carry, in every header that can carry it.
import { describe, expect, it } from "vitest";
import type { PatchOptions } from "../options.ts";
import { judgePatch } from "./judge.ts";

const create = (path: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
const quoted = (path: string) =>
  `diff --git "a/${path}" "b/${path}"\nnew file mode 100644\n--- /dev/null\n+++ "b/${path}"\n@@ -0,0 +1 @@\n+x\n`;
const edit = (path: string) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n`;
const remove = (path: string) =>
  `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`;
const rename = (from: string, to: string, word = "rename") =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\n${word} from ${from}\n${word} to ${to}\n`;
const mode = (path: string) => `diff --git a/${path} b/${path}\nold mode 100644\nnew mode 100755\n`;

const bad: readonly (readonly [reason: string, path: string])[] = [
  ["path_traversal", "../x"],
  ["path_traversal", "src/../x"],
  ["path_traversal", "src/.."],
  ["path_traversal", "src/../../../etc/cron.d/x"],
  ["path_absolute", "/etc/passwd"],
  ["path_absolute", "C:/Windows/x"],
  ["path_absolute", "c:x"],
  ["path_absolute", "C:\\Windows\\x"],
  ["path_absolute", "~/.ssh/authorized_keys"],
  ["path_backslash", "src\\x"],
  ["path_backslash", "..\\..\\x"],
  ["path_backslash", "\\\\server\\share\\x"],
  ["path_backslash", ".git\\hooks\\pre-commit"],
  ["path_not_canonical", "src//x"],
  ["path_not_canonical", "./x"],
  ["path_not_canonical", "src/./x"],
  ["path_not_canonical", "src/"],
  ["path_reserved", "CON"],
  ["path_reserved", "src/nul.txt"],
  ["path_reserved", "src/aux/x"],
  ["path_reserved", "cOm1"],
  ["path_reserved", "COM¹"],
  ["path_reserved", "lpt9.log"],
  ["path_reserved", "src/x.js:evil"],
  ["path_reserved", "src/x.js::$DATA"],
  ["path_reserved", "src/x."],
  ["path_reserved", "src /x"],
  ["git_dir", ".git/config"],
  ["git_dir", ".GIT/config"],
  ["git_dir", "sub/.Git/hooks/post-checkout"],
  ["git_dir", ".git"],
  ["git_dir", ".g\u200cit/config"],
  ["git_dir", ".gi\u200dt/config"],
  ["git_dir", "\ufeff.git/config"],
  ["git_dir", "．git/config"],
  ["git_dir_ntfs", "git~1/config"],
  ["git_dir_ntfs", "GIT~2"],
  ["git_dir_ntfs", ".git./config"],
  ["git_dir_ntfs", ".git /config"],
  ["git_dir_ntfs", ".git. . ./config"],
  ["git_dir_ntfs", ".git:stream"],
  ["git_dir_ntfs", ".GIT::$INDEX_ALLOCATION/config"],
  ["gitmodules", ".gitmodules"],
  ["gitmodules", ".GitModules"],
  ["gitmodules", "gitmod~1"],
  ["gitmodules", "gi7eba~1"],
  ["protected_state", ".thehood/config.json"],
  ["protected_state", ".TheHood/store.db"],
  ["path_too_long", `src/${"a".repeat(256)}`],
  ["path_too_long", "d/".repeat(600) + "x"],
  ["path_too_long", "d/".repeat(100) + "x"],
  ["control_char_path", "src/a\u202egnp.js"],
  ["control_char_path", "src/a\u200b.js"],
  ["control_char_path", "src/a\u2028.js"],
  ["control_char_path", "src/a\u0085.js"],
  ["control_char_path", "src/\u{e0041}x"],
];

const verdictOf = (patch: string) => {
  const { verdict, reason } = judgePatch(patch);
  return `${verdict} ${reason}`;
};

describe("names that may not be touched", () => {
  it.each(bad)("[T-15] %s: %j in any kind of section", (reason, path) => {
    const patches = [
      create(path),
      edit(path),
      remove(path),
      mode(path),
      rename("ok.txt", path),
      rename(path, "ok.txt"),
    ];
    for (const patch of [...patches, rename("ok.txt", path, "copy"), rename(path, "ok.txt", "copy")]) {
      expect(verdictOf(patch)).toBe(`reject ${reason}`);
    }
    expect(verdictOf(edit("src/fine.js") + create(path))).toBe(`reject ${reason}`);
  });

  it.each([
    ["nul_byte", String.raw`src/x\000.txt`],
    ["nul_byte", String.raw`test/app.test.js\000.md`],
    ["control_char_path", String.raw`src/x\n.txt`],
    ["control_char_path", String.raw`src/\t`],
    ["control_char_path", String.raw`src/\033[31mx`],
    ["control_char_path", String.raw`src/\177`],
    ["path_traversal", String.raw`\056\056/x`],
    ["path_traversal", String.raw`src/\056./x`],
    ["path_absolute", String.raw`\057etc/x`],
    ["path_backslash", String.raw`..\\x`],
    ["git_dir", String.raw`\056git/config`],
    ["git_dir", String.raw`.g\342\200\214it/config`],
    ["path_not_canonical", String.raw`src/\141.txt`],
    ["path_not_canonical", String.raw`src/\377.txt`],
    ["path_not_canonical", String.raw`src/\300\256`],
  ])("%s: the quoted name %j is judged after unquoting", (reason, path) => {
    expect(verdictOf(quoted(path))).toBe(`reject ${reason}`);
  });

  it("a section without a diff --git header is refused for its path first", () => {
    const orphan = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n`;
    expect(verdictOf(edit("src/a") + orphan("../x"))).toBe("reject path_traversal");
    expect(verdictOf(edit("src/a") + orphan("src/b"))).toBe("reject no_diff_header");
    expect(verdictOf(orphan("src/b"))).toBe("reject no_diff_header");
    expect(judgePatch(edit("src/a") + orphan("lib/b"), { restrictPathPrefix: "src" }).reason).toBe("outside_prefix");
    expect(judgePatch(edit("src/a") + orphan("lib/b")).paths).toEqual(["lib/b", "src/a"]);
  });

  it("names without a/ and b/ are refused, the absolute ones as absolute", () => {
    const bare = (path: string) => `diff --git ${path} ${path}\n--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-x\n+y\n`;
    expect(verdictOf(bare("/tmp/x"))).toBe("reject path_absolute");
    expect(verdictOf(bare("../x"))).toBe("reject path_traversal");
    expect(verdictOf(bare("src/x"))).toBe("reject header_mismatch");
  });

  it("a ---/+++ name that the header contradicts is a mismatch, whatever it is", () => {
    const patch = (name: string) => `diff --git a/src/x b/src/x\n--- a/src/x\n+++ ${name}\n@@ -1 +1 @@\n-x\n+y\n`;
    for (const name of ["b/../x", "b/src/y", "b/.git/x", "/dev/null", "src/x", "a/src/x", '"b/src/\\170y"']) {
      expect(judgePatch(patch(name)).verdict).toBe("reject");
      expect(judgePatch(patch(name)).findings.map(({ reason }) => reason)).toContain("header_mismatch");
    }
    expect(verdictOf(patch("b/src/x"))).toBe("accept ok");
  });
});

describe("names that are ordinary", () => {
  it.each([
    "src/.../x.txt",
    "....",
    ".gitignore",
    ".gitkeep",
    ".git-blame-ignore-revs",
    ".github/ISSUE_TEMPLATE/bug.md",
    ".github/PULL_REQUEST_TEMPLATE.md",
    ".github-notes.md",
    "git/x.ts",
    "repo.git/x.ts",
    "src/console.ts",
    "src/nullable.ts",
    "src/com10.ts",
    "src/[id]/page.tsx",
    "src/(group)/$param.ts",
    "docs/日本.md",
    "docs/👨‍👩‍👧.md",
    "docs/naïve file name.md",
    "src/-x.ts",
    "src/ leading.ts",
    "src/a b/c d.ts",
    "a/b/a/b.ts",
  ])("%j", (path) => {
    expect(verdictOf(create(path))).toBe("accept ok");
    expect(verdictOf(edit(path))).toBe("accept ok");
    expect(verdictOf(rename(path, `${path}x`))).toBe("accept ok");
    expect(judgePatch(rename(path, `${path}x`)).paths).toEqual([path, `${path}x`]);
  });

  it("a quoted name is the same file as the bare one", () => {
    expect(judgePatch(quoted(String.raw`docs/caf\303\251.md`))).toMatchObject({
      verdict: "accept",
      paths: ["docs/café.md"],
    });
    expect(judgePatch(quoted("docs/a b.md"))).toMatchObject({ verdict: "accept", paths: ["docs/a b.md"] });
    expect(judgePatch(quoted(String.raw`docs/\"q\".md`))).toMatchObject({
      verdict: "accept",
      paths: ['docs/"q".md'],
    });
  });
});

describe("allowed and forbidden paths", () => {
  const reasonOf = (path: string, options: PatchOptions) => judgePatch(create(path), options).reason;
  it("[S-6] are enforced for every path", () => {
    expect(reasonOf("src/a.ts", { allowedPaths: ["src"] })).toBe("ok");
    expect(reasonOf("lib/src/a.ts", { allowedPaths: ["src"] })).toBe("path_not_allowed");
    expect(reasonOf("src/a.ts", { allowedPaths: ["src/**"], disallowedPaths: ["**/*.ts"] })).toBe("path_not_allowed");
    expect(reasonOf("lib/Vendor/a.ts", { disallowedPaths: ["vendor"] })).toBe("path_not_allowed");
    expect(reasonOf("src/a.ts", { allowedPaths: [] })).toBe("path_not_allowed");
    expect(judgePatch(rename("src/a", "lib/a"), { allowedPaths: ["src/**"] }).reason).toBe("path_not_allowed");
  });
});

describe("[T-16] the path prefix", () => {
  it("is compared by segments", () => {
    const under = (path: string, restrictPathPrefix: string) => judgePatch(create(path), { restrictPathPrefix }).reason;
    expect(under("src/a.ts", "src")).toBe("ok");
    expect(under("src/a.ts", "src/")).toBe("ok");
    expect(under("src/a.ts", ".\\src\\")).toBe("ok");
    expect(under("src/deep/a.ts", "src\\deep")).toBe("ok");
    expect(under("src", "src")).toBe("ok");
    expect(under("src/a.ts", ".")).toBe("ok");
    expect(under("src/a.ts", "")).toBe("outside_prefix");
    expect(under("src/a.ts", "/")).toBe("outside_prefix");
    expect(under("src/a.ts", "src/..")).toBe("outside_prefix");
    expect(under("src-evil/a.ts", "src")).toBe("outside_prefix");
    expect(under("srca.ts", "src")).toBe("outside_prefix");
    expect(under("Src/a.ts", "src")).toBe("outside_prefix");
    expect(under("lib/src/a.ts", "src")).toBe("outside_prefix");
  });

  it("counts both names of a rename and of a copy, and every section", () => {
    for (const patch of [
      rename("src/a", "lib/a"),
      rename("lib/a", "src/a"),
      rename("lib/a", "src/a", "copy"),
      edit("src/a") + mode("lib/b"),
    ]) {
      expect(judgePatch(patch, { restrictPathPrefix: "src" }).reason).toBe("outside_prefix");
    }
  });
});
