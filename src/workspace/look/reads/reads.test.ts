import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReads, readBounds, readTools } from "./index.ts";

const secret = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const signal = new AbortController().signal;
let outside = "";
let top = "";

function put(path: string, text: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], { cwd: top });

beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "reads-")));
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
afterEach(() => rmSync(outside, { recursive: true, force: true }));

const reads = (secrets: "redact" | "withhold" = "redact") => createReads({ top, secrets });

describe("the runtime's own read tools", () => {
  it("[S-8] list what may be shown, and neither dependencies nor secrets by name", async () => {
    const { text } = await reads()("list_files", {}, signal);
    expect(text.split("\n")).toEqual(["settings.txt 58", "src/a.ts 44", "src/b.ts 27"]);
    expect((await reads()("list_files", { folder: "src/" }, signal)).text).not.toContain("settings");
  });

  it("read lines of a file and say which", async () => {
    const { text, paths } = await reads()("read_file", { path: "src/a.ts", fromLine: 2, lines: 1 }, signal);
    expect(text).toBe("src/a.ts, lines 2 to 2 of 2:\nexport const two = 2;");
    expect(paths).toEqual(["src/a.ts"]);
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
    const { ok, text } = await reads()("read_file", { path }, signal);
    expect(ok).toBe(false);
    expect(text).not.toContain("not yours");
    expect(text).not.toContain(secret);
  });

  it("take secrets out, or withhold the whole file, also from a search and a diff", async () => {
    const shown = await reads()("read_file", { path: "settings.txt" }, signal);
    expect(shown).toMatchObject({ ok: true, redactions: 1 });
    expect(shown.text).toContain("name = one");
    expect(shown.text).not.toContain(secret);
    expect(await reads("withhold")("read_file", { path: "settings.txt" }, signal)).toMatchObject({
      ok: false,
      text: expect.stringContaining("looks like a secret"),
    });
    expect((await reads("withhold")("search_files", { text: "one" }, signal)).paths).toEqual([
      "src/a.ts",
      "src/b.ts",
    ]);
    expect((await reads()("search_files", { text: secret }, signal)).text).not.toContain(secret);
    put("settings.txt", `name = two\nkey = ${secret}\n`);
    put(".env", `TOKEN=${secret}x\n`);
    put("src/a.ts", "export const one = 11;\n");
    for (const how of ["redact", "withhold"] as const) {
      const diff = await reads(how)("git_diff", {}, signal);
      expect(diff.text).toContain("+export const one = 11;");
      expect(diff.text).not.toContain("TOKEN");
      expect(diff.text).not.toContain(secret);
      expect((await reads(how)("git_status", {}, signal)).text).toBe("M settings.txt\nM src/a.ts");
    }
  });

  it("find a text without regard to case, and tell the line", async () => {
    const { text } = await reads()("search_files", { text: "EXPORT const TWO" }, signal);
    expect(text).toBe("src/a.ts:2: export const two = 2;");
    const odd = await reads()("search_files", { text: "(a+)+$" }, signal);
    expect(odd.text).toContain("No file");
  });

  it("keep every result within its bounds", async () => {
    put("big.txt", `${"z".repeat(300)}\n`.repeat(5_000));
    for (const [name, input] of [
      ["read_file", { path: "big.txt", lines: 2_000 }],
      ["search_files", { text: "zzz" }],
    ] as const) {
      const { ok, text } = await reads()(name, input, signal);
      expect(ok).toBe(true);
      expect(Buffer.byteLength(text)).toBeLessThan(readBounds.resultBytes + 200);
    }
  });

  it("tell a wrong name and a wrong input instead of guessing", async () => {
    expect((await reads()("write_file", { path: "x" }, signal)).text).toContain("read_file");
    expect((await reads()("read_file", { file: "x" }, signal)).text).toContain("path");
    expect((await reads()("read_file", "src/a.ts", signal)).ok).toBe(false);
  });

  it("are described by a schema each", () => {
    for (const { parameters } of readTools())
      expect(parameters).toMatchObject({ type: "object", additionalProperties: false });
  });
});
