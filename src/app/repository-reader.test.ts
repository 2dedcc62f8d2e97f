import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { plainGit, writeFiles } from "../../tests/support/repository.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { readToolsOf } from "./repository-reader.ts";

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

const open = readToolsOf(() => Promise.resolve({}));
const reads = async (secrets: "redact" | "withhold" = "redact") => (await open(top, secrets)).use;
const text = async (name: string, input: unknown, how: "redact" | "withhold" = "redact") =>
  (await (await reads(how))(name, input, signal)).text;

const files = (output: string): string[] =>
  (JSON.parse(output) as { entries: { path: string; bytes: number }[] }).entries.map(
    ({ path, bytes }) => `${path} ${bytes}`,
  );
const hits = (output: string): string[] =>
  (JSON.parse(output) as { hits: { path: string; line: number; text: string }[] }).hits.map(
    (hit) => `${hit.path}:${hit.line}: ${hit.text}`,
  );
const changes = (output: string): string[] =>
  (JSON.parse(output) as { changes: { path: string; index: string; worktree: string }[] }).changes.map(
    (one) => `${one.index}${one.worktree} ${one.path}`,
  );

describe("the runtime's own read tools", () => {
  it("[S-8] list what may be shown, and neither dependencies nor secrets by name", async () => {
    expect(files(await text("repo_tree", {}))).toEqual(["settings.txt 58", "src/a.ts 44", "src/b.ts 27"]);
    expect(files(await text("repo_tree", { path: "src/" }))).toEqual(["src/a.ts 44", "src/b.ts 27"]);
  });

  it("read lines of a file and say which", async () => {
    expect(await text("repo_read_file", { path: "src/a.ts", from_line: 2, max_bytes: 12 })).toBe(
      '{"path":"src/a.ts","offset":22,"total_bytes":44,"next_offset":34}\nexport const',
    );
    expect(await text("repo_read_file", { path: "src/a.ts", from_line: 9 })).toContain('"offset":44');
  });

  it.each([
    "../private.txt",
    "{outside}/private.txt",
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
    const asked = { path: path.replace("{outside}", outside) };
    const result = await (await reads())("repo_read_file", asked, signal);
    expect(result.ok).toBe(false);
    expect(result.text).not.toContain("not yours");
    expect(result.text).not.toContain(secret);
  });

  it("take secrets out of a file, or withhold all of it", async () => {
    const shown = await (await reads())("repo_read_file", { path: "settings.txt" }, signal);
    expect(shown).toMatchObject({ ok: true, redactions: 1 });
    expect(shown.text).toContain("name = one");
    expect(shown.text).not.toContain(secret);
    const held = await (await reads("withhold"))("repo_read_file", { path: "settings.txt" }, signal);
    expect(held.text).toContain("looks like a secret");
    expect(held.text).not.toContain("name = one");
    expect(held.redactions).toBe(1);
  });

  it("show no secret by a search, and cannot be used to guess one", async () => {
    expect(await text("repo_search", { query: "one" }, "withhold")).not.toContain('"settings.txt"');
    expect(hits(await text("repo_search", { query: "name = one" }))).toEqual(["settings.txt:1: name = one"]);
    expect(hits(await text("repo_search", { query: secret }))).toEqual([]);
    expect(hits(await text("repo_search", { query: secret.slice(0, 12) }))).toEqual([]);
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
    expect(changes(await text("git_status", {}, how))).toEqual([" M note.txt", " M settings.txt", " M src/a.ts"]);
    expect(await text("git_diff", { path: "src/a.ts" }, how)).toContain("-export const two = 2;");
  });

  it("find a text without regard to case, and tell the line", async () => {
    const query = "EXPORT const TWO";
    expect(hits(await text("repo_search", { query, ignore_case: true }))).toEqual([
      "src/a.ts:2: export const two = 2;",
    ]);
    expect(hits(await text("repo_search", { query }))).toEqual([]);
    expect(hits(await text("repo_search", { query: "(a+)+$" }))).toEqual([]);
  });

  it("keep every result within its bounds", async () => {
    put("big.txt", `${"z".repeat(300)}\n`.repeat(3_000));
    for (const [name, input] of [
      ["repo_read_file", { path: "big.txt" }],
      ["repo_search", { query: "zzz" }],
    ] as const)
      expect(Buffer.byteLength(await text(name, input))).toBeLessThan(21_000);
  });

  it("tell a wrong name and a wrong input instead of guessing", async () => {
    expect(await text("write_file", { path: "x" })).toContain("repo_read_file");
    expect(await text("repo_read_file", { file: "x" })).toContain("path");
    expect((await (await reads())("repo_read_file", "src/a.ts", signal)).ok).toBe(false);
  });

  it("tell of a worker's worktree what is different there", async () => {
    const tree = join(outside, "tree");
    git("worktree", "add", "-q", tree, "-b", "work");
    writeFileSync(join(tree, "src/a.ts"), "export const one = 11;\n");
    writeFileSync(join(tree, "new.ts"), "new\n");
    const there = (await open(tree, "withhold")).use;
    const status = (await there("git_status", {}, signal)).text;
    expect(changes(status)).toEqual([" M src/a.ts", "?? new.ts"]);
    expect((await there("git_diff", {}, signal)).text).toContain("+export const one = 11;");
    expect((await there("repo_read_file", { path: "new.ts" }, signal)).text).toContain("new");
    expect((await there("repo_read_file", { path: ".git" }, signal)).ok).toBe(false);
  });

  it("work in a folder that is not a repository, for what can be read there", async () => {
    rmSync(join(top, ".git"), { recursive: true });
    expect(files(await text("repo_tree", { path: "src" }))).toEqual(["src/a.ts 44", "src/b.ts 27"]);
    expect((await (await reads())("git_diff", {}, signal)).ok).toBe(false);
  });

  it("[S-8] show no secret in the name of a file", async () => {
    put(`${secret}.txt`, "x");
    for (const name of ["repo_tree", "git_status"]) {
      const output = await text(name, {});
      expect(output).not.toContain(secret);
      expect(output).toContain(".txt");
    }
  });

  it("are described by a schema each", async () => {
    const { tools } = await open(top, "redact");
    expect(tools.map(({ name }) => name)).toContain("repo_read_file");
    for (const { parameters } of tools)
      expect(parameters).toMatchObject({ type: "object", additionalProperties: false });
  });
});
