import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { plainGit, writeFiles } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { createReads, readBounds } from "./index.ts";

const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const signal = new AbortController().signal;
let outside = "";
let top = "";

const put = (path: string, text: string): void => writeFiles(top, { [path]: text });

const git = (...args: string[]) => plainGit(top, ...args);

beforeEach(() => {
  outside = tempFolder("reads-");
  top = join(outside, "repo");
  mkdirSync(top);
  writeFileSync(join(outside, "private.txt"), "not yours\n");
  put("src/a.ts", "export const one = 1;\nexport const two = 2;\n");
  put("src/b.ts", "import { one } from './a';\n");
  put(".env", `TOKEN=${secret}\n`);
  put("node_modules/x/index.js", "one\n");
  put("settings.txt", `name = one\nkey = ${secret}\n`);
  git("init", "-q", "-b", "main");
  git("add", "-Af");
  git("commit", "-qm", "base");
});

const reads = (secrets: "redact" | "withhold" = "redact") => createReads(top, secrets).use;
const text = async (name: string, input: unknown, how: "redact" | "withhold" = "redact") =>
  (await reads(how)(name, input, signal)).text;

describe("the runtime's own read tools", () => {
  it("[S-8] list what may be shown, and neither dependencies nor secrets by name", async () => {
    expect((await text("list_files", {})).split("\n")).toEqual([
      "settings.txt 58",
      "src/a.ts 44",
      "src/b.ts 27",
    ]);
    expect(await text("list_files", { folder: "src/" })).toBe("src/a.ts 44\nsrc/b.ts 27");
  });

  it("read lines of a file and say which", async () => {
    expect(await text("read_file", { path: "src/a.ts", fromLine: 2, lines: 1 })).toBe(
      "src/a.ts, lines 2 to 2 of 2:\nexport const two = 2;",
    );
  });

  it.each([
    "../private.txt",
    "/etc/passwd",
    ".env",
    ".git/config",
    ".GIT/config",
    ".thehood/config.json",
    "node_modules/x/index.js",
    "link-out.txt",
    "link-env.txt",
    "folder-out/private.txt",
    "src",
    "missing.ts",
    "a\0b",
  ])("[S-8] refuse %j without a word of it", async (path) => {
    symlinkSync(join(outside, "private.txt"), join(top, "link-out.txt"));
    symlinkSync(".env", join(top, "link-env.txt"));
    symlinkSync(outside, join(top, "folder-out"));
    const result = await reads()("read_file", { path }, signal);
    expect(result.ok).toBe(false);
    expect(result.text).not.toContain("not yours");
    expect(result.text).not.toContain(secret);
  });

  it("take secrets out of a file, or withhold all of it", async () => {
    const shown = await reads()("read_file", { path: "settings.txt" }, signal);
    expect(shown).toMatchObject({ ok: true, redactions: 1 });
    expect(shown.text).toContain("name = one");
    expect(shown.text).not.toContain(secret);
    const held = await reads("withhold")("read_file", { path: "settings.txt" }, signal);
    expect(held.text).toContain("looks like a secret");
    expect(held.text).not.toContain("name = one");
    expect(held.redactions).toBe(1);
  });

  it("show no secret by a search, and cannot be used to guess one", async () => {
    expect(await text("search_files", { text: "one" }, "withhold")).not.toContain("settings.txt:");
    expect(await text("search_files", { text: "name = one" })).toBe("settings.txt:1: name = one");
    expect(await text("search_files", { text: secret })).toBe("No file shown here holds it.");
    expect(await text("search_files", { text: secret.slice(0, 12) })).toBe("No file shown here holds it.");
  });

  it.each(["redact", "withhold"] as const)("show no secret by a difference (%s)", async (how) => {
    const key = ["-----BEGIN RSA PRIVATE", "KEY-----"].join(" ");
    const lines = Array.from(
      { length: 20 },
      (_, index) => `MIIEowIBAAKCAQEAx${index}Zt2Lw9Xb4Nv6Rk1Ms8Jd3Fh5Gc0Ya2Pe7U`,
    );
    put("note.txt", [key, ...lines, key.replace("BEGIN", "END"), ""].join("\n"));
    git("add", "note.txt");
    git("commit", "-qm", "a key");
    put("note.txt", [key, ...lines.with(10, "changed"), key.replace("BEGIN", "END"), ""].join("\n"));
    put("settings.txt", `name = two\nkey = ${secret}\n`);
    put(".env", `TOKEN=${secret}x\n`);
    put("src/a.ts", "export const one = 11;\n");
    const diff = await text("git_diff", {}, how);
    expect(diff).toContain("+export const one = 11;");
    for (const hidden of ["TOKEN", secret, lines[9] ?? ""]) expect(diff).not.toContain(hidden);
    expect(await text("git_status", {}, how)).toBe(" M note.txt\n M settings.txt\n M src/a.ts");
    expect(await text("git_diff", { path: "src/a.ts" }, how)).toContain("-export const two = 2;");
  });

  it("find a text without regard to case, and tell the line", async () => {
    expect(await text("search_files", { text: "EXPORT const TWO" })).toBe(
      "src/a.ts:2: export const two = 2;",
    );
    expect(await text("search_files", { text: "(a+)+$" })).toContain("No file");
  });

  it("keep every result within its bounds", async () => {
    put("big.txt", `${"z".repeat(300)}\n`.repeat(3_000));
    for (const [name, input] of [
      ["read_file", { path: "big.txt", lines: 2_000 }],
      ["search_files", { text: "zzz" }],
    ] as const)
      expect(Buffer.byteLength(await text(name, input))).toBeLessThan(readBounds.resultBytes + 200);
  });

  it("tell a wrong name and a wrong input instead of guessing", async () => {
    expect(await text("write_file", { path: "x" })).toContain("read_file");
    expect(await text("read_file", { file: "x" })).toContain("path");
    expect((await reads()("read_file", "src/a.ts", signal)).ok).toBe(false);
  });

  it("tell of a worker's worktree what is different there", async () => {
    const tree = join(outside, "tree");
    git("worktree", "add", "-q", tree, "-b", "work");
    writeFileSync(join(tree, "src/a.ts"), "export const one = 11;\n");
    writeFileSync(join(tree, "new.ts"), "new\n");
    const there = createReads(tree, "withhold").use;
    expect((await there("git_status", {}, signal)).text).toBe(" M src/a.ts\n?? new.ts");
    expect((await there("git_diff", {}, signal)).text).toContain("+export const one = 11;");
    expect((await there("read_file", { path: "new.ts" }, signal)).text).toContain("new");
    expect((await there("read_file", { path: ".git" }, signal)).ok).toBe(false);
  });

  it("work in a folder that is no repository, for what can be told there", async () => {
    rmSync(join(top, ".git"), { recursive: true });
    expect(await text("list_files", { folder: "src" })).toBe("src/a.ts 44\nsrc/b.ts 27");
    expect((await reads()("git_diff", {}, signal)).ok).toBe(false);
  });

  it("are described by a schema each", () => {
    for (const { parameters } of createReads(top, "redact").tools)
      expect(parameters).toMatchObject({ type: "object", additionalProperties: false });
  });
});
