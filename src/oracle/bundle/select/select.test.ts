// Selection in real folders and repositories: git's own rules, patterns, order.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainGit } from "../../../../tests/support/repository.ts";
import { makePlace, makeRepository, type Place, put } from "../../../../tests/support/bundle/folders.ts";
import { selectFiles } from "./select.ts";

const all = (place: Place, paths: readonly string[]) => {
  for (const path of paths) put(place, { path, content: "x\n" });
};
const reasonOf = (excluded: readonly { path: string; reason: string }[], path: string) =>
  excluded.find((one) => one.path === path)?.reason;

describe("selection", () => {
  it("[Z-10] follows git's ignore rules where they are subtle: anchors, folders, globs in subfolders, negation", async () => {
    using place = makePlace();
    makeRepository(place);
    put(place, {
      path: ".gitignore",
      content: "*.log\n/secretdir\nlogs/\n**/gen.txt\nbuildout\n!keep.log\nsrc/sub/\n",
    });
    const ignored = [
      "a.log",
      "src/x.log",
      "secretdir/s.txt",
      "logs/l.txt",
      "deep/gen.txt",
      "buildout/b.txt",
      "src/sub/c.ts",
    ];
    const kept = ["keep.log", "src/a.ts", "other/secretdir/s.txt", "gent.txt"];
    all(place, [...ignored, ...kept]);
    const { paths, excluded } = await selectFiles(place.root, ["."]);
    expect(paths).toEqual([".gitignore", ...kept].sort());
    expect(reasonOf(excluded, "secretdir/")).toBe("ignored");
    expect(reasonOf(excluded, "src/x.log")).toBe("ignored");
  });

  it("[Z-10] reads nested ignore files, the exclude file of the repository, but sends a file that is named", async () => {
    using place = makePlace();
    makeRepository(place);
    all(place, ["pkg/a.tmp", "pkg/b.ts", "local.txt", "c.ts"]);
    put(place, { path: "pkg/.gitignore", content: "*.tmp\n" });
    writeFileSync(join(place.root, ".git/info/exclude"), "local.txt\n");
    const { paths, excluded } = await selectFiles(place.root, ["pkg", "*.txt", "c.ts"]);
    expect(paths).toEqual(["c.ts", "pkg/.gitignore", "pkg/b.ts"]);
    expect(reasonOf(excluded, "pkg/a.tmp")).toBe("ignored");
    expect(reasonOf(excluded, "local.txt")).toBe("ignored");
    const named = await selectFiles(place.root, ["pkg/a.tmp", "local.txt", "c.ts"]);
    expect(named.paths).toEqual(["c.ts", "local.txt", "pkg/a.tmp"]);
  });

  it("[Z-10] obeys .gitignore files in a folder without git, the innermost last", async () => {
    using place = makePlace();
    put(place, { path: ".gitignore", content: "*.log\nout/\n" });
    put(place, { path: "sub/.gitignore", content: "!keep.log\n" });
    all(place, ["a.log", "sub/keep.log", "sub/other.log", "out/x.ts", "node_modules/m/index.js", "b.ts"]);
    const { paths, excluded } = await selectFiles(place.root, ["."]);
    expect(paths).toEqual([".gitignore", "b.ts", "sub/.gitignore", "sub/keep.log"]);
    expect(excluded.map(({ path }) => path)).toEqual(["a.log", "node_modules/", "out/", "sub/other.log"]);
  });

  it("sees only what is below the folder the request was made in", async () => {
    using place = makePlace();
    makeRepository(place);
    all(place, ["top.ts", "pkg/a.ts", "pkg/in/b.ts"]);
    const { paths } = await selectFiles(join(place.root, "pkg"), ["."]);
    expect(paths).toEqual(["a.ts", "in/b.ts"]);
    const { excluded } = await selectFiles(join(place.root, "pkg"), ["../top.ts"]);
    expect(excluded).toEqual([{ path: "../top.ts", reason: "outside_root" }]);
  });

  it("[Z-1] takes paths, folders, globs and !excludes, each file once, in one stable order", async () => {
    using place = makePlace();
    all(place, [
      "src/b.ts",
      "src/a.ts",
      "src/a.test.ts",
      "src/deep/c.test.ts",
      "lib/x.js",
      "README.md",
      "Z.md",
      "app/[id]/page.tsx",
    ]);
    const { paths, excluded } = await selectFiles(place.root, [
      "README.md",
      "src",
      "src/**/*.ts",
      "./README.md",
      "app/[id]/page.tsx",
      "!*.test.ts",
    ]);
    expect(paths).toEqual(["README.md", "app/[id]/page.tsx", "src/a.ts", "src/b.ts"]);
    expect(reasonOf(excluded, "src/deep/c.test.ts")).toBe("excluded_by_pattern");
    expect((await selectFiles(place.root, [".", "!src", "!lib/"])).paths).toEqual([
      "README.md",
      "Z.md",
      "app/[id]/page.tsx",
    ]);
  });

  it("refuses a path that does not exist, by name", async () => {
    using place = makePlace();
    all(place, ["a.ts"]);
    await expect(selectFiles(place.root, ["a.ts", "b.ts"])).rejects.toMatchObject({
      failure: { code: "not_found", details: { pattern: "b.ts" } },
    });
    expect((await selectFiles(place.root, ["*.nothing"])).paths).toEqual([]);
  });

  it("[Z-7] leaves out names that could mislead: git's folder, our state, controls, bidi, devices, doubles", async () => {
    using place = makePlace();
    all(place, [
      "ok.ts",
      ".thehood/x",
      "a\u0007b",
      "a\u202Eb.ts",
      "nul.txt",
      "trail.",
      "A/x.ts",
      "a",
      "Üb.md",
      "u\u0308b.md",
      "üb.md",
    ]);
    const { paths, excluded } = await selectFiles(place.root, [".", ".thehood/x"]);
    expect(paths).toContain("ok.ts");
    const reasons = Object.fromEntries(excluded.map(({ path, reason }) => [path, reason]));
    expect(reasons).toMatchObject({
      ".thehood/x": "protected_state",
      "a\u0007b": "control_char_path",
      "a\u202Eb.ts": "control_char_path",
      "nul.txt": "path_reserved",
      "trail.": "path_reserved",
      a: "casefold_collision",
    });
    expect(paths.filter((path) => path.normalize("NFC").toLowerCase() === "üb.md")).toHaveLength(1);
  });

  it("a link takes the name of no file, since it is never sent", async () => {
    using place = makePlace();
    all(place, ["real/x.ts", "sub/y.ts"]);
    symlinkSync("real", join(place.root, "Sub"));
    symlinkSync("../real", join(place.root, "sub/inner"));
    const { paths, excluded } = await selectFiles(place.root, ["."]);
    expect(paths).toEqual(["Sub", "real/x.ts", "sub/inner", "sub/y.ts"]);
    expect(excluded).toEqual([]);
  });

  it.each(["", " (nested repository)"])("does not descend into links to folders%s", async (kind) => {
    using place = makePlace();
    if (kind !== "") makeRepository(place);
    all(place, ["real/a.ts"]);
    symlinkSync("real", join(place.root, "alias"));
    symlinkSync(place.outside, join(place.root, "out"));
    const { paths } = await selectFiles(place.root, ["."]);
    expect(paths).toEqual(["alias", "out", "real/a.ts"]);
  });

  it("tells of a repository inside of the repository and does not go in", async () => {
    using place = makePlace();
    makeRepository(place);
    all(place, ["a.ts", "inner/b.ts"]);
    plainGit(place.root, "init", "-q", "inner");
    const { paths, excluded } = await selectFiles(place.root, ["."]);
    expect(paths).toEqual(["a.ts"]);
    expect(reasonOf(excluded, "inner/")).toBe("nested_repository");
  });

  it("keeps a tracked file that is gone from the disk out", async () => {
    using place = makePlace();
    makeRepository(place);
    all(place, ["gone.ts", "here.ts"]);
    plainGit(place.root, "add", "-A");
    rmSync(join(place.root, "gone.ts"));
    const { excluded } = await selectFiles(place.root, ["gone.ts"]);
    expect(excluded).toEqual([{ path: "gone.ts", reason: "not_found" }]);
  });

  it("takes a thousand folders deep path without trouble", async () => {
    using place = makePlace();
    const path = `${"d/".repeat(100)}a.ts`;
    mkdirSync(dirname(join(place.root, path)), { recursive: true });
    writeFileSync(join(place.root, path), "x");
    expect((await selectFiles(place.root, ["."])).paths).toEqual([path]);
  });
});
