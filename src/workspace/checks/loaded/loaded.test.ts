// What a check really loads, with real git and a real runner.
import { beforeAll, describe, expect, it } from "vitest";
import { dirname } from "node:path";
import { gitIn, writeFiles } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { CheckKind, CheckSpec } from "../../../core/contract/index.ts";
import { requireRepository, type Repository } from "../../../platform/git/index.ts";
import { createCommandRunner } from "../../../platform/sandbox/index.ts";
import { changedFiles } from "../sabotage/targets.ts";
import { runCheck } from "../run/run-check.ts";
import { binaryKind } from "./binaries.ts";
import { declaredBeside, readsCode } from "./declared.ts";
import { loadedDoubts } from "./loaded.ts";
import { shadowsIn } from "./shadows.ts";

describe("a binary file", () => {
  it.each([
    ["WebAssembly", [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], "code"],
    ["ELF", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0], "code"],
    ["compiled Python", [0xa7, 0x0d, 0x0d, 0x0a, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0xe3], "code"],
    ["a picture", [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0], "media"],
    ["a text", [...Buffer.from("export const a = 1;\r\n")], null],
    ["something else", [1, 2, 0, 3], "other"],
  ])("[B-34] is known by its first bytes: %s", (_, bytes, kind) => {
    expect(binaryKind(Uint8Array.from(bytes))).toBe(kind);
  });
});

describe("an archive", () => {
  const listed = (name: string, before: readonly number[] = []) => {
    const entry = Buffer.alloc(46);
    entry.write("PK\x01\x02", "latin1");
    entry.writeUInt16LE(name.length, 28);
    return Uint8Array.from([...before, 0, ...entry, ...Buffer.from(name)]);
  };
  it.each([
    ["calc/add.py", [], "code"],
    ["Add.class", [0x50, 0x4b, 0x03, 0x04], "code"],
    ["calc/add.pyc", [0x89, 0x50, 0x4e, 0x47], "code"],
    ["word/document.xml", [0x50, 0x4b, 0x03, 0x04], "other"],
    ["notes.txt", [0x89, 0x50, 0x4e, 0x47], "media"],
  ])("[B-34] is code where it holds code: %s", (name, before, kind) => {
    expect(binaryKind(listed(name, before))).toBe(kind);
  });

  it("[B-34] that is cut off is no code, and does not end the search", () => {
    expect(binaryKind(listed("a.py").slice(0, 30))).toBe("other");
    expect(binaryKind(Buffer.from("PK\x01\x02"))).toBeNull();
  });
});

describe("a file that may hide another", () => {
  it.each([
    [["src/add.mjs"], ["src/add.ts"], ["src/add.ts"]],
    [["calc/add.py"], ["src/calc/add.py"], ["src/calc/add.py"]],
    [["calc/__init__.py"], ["src/calc/__init__.py", "src/other/__init__.py"], ["src/calc/__init__.py"]],
    [["src/b/index.ts"], ["src/a/index.ts"], []],
    [["src/add.d.ts"], ["src/add.ts"], []],
    [["docs/add.md"], ["src/add.ts"], []],
  ])("[B-34] %s beside %s", (added, kept, hidden) => {
    expect(shadowsIn(added, kept).map((one) => one.hidden)).toEqual(hidden);
  });
});

describe("a declaration beside its code", () => {
  it("[B-34] is found by name, and the compiler is let read the code", async () => {
    expect(declaredBeside(["src/a.d.ts", "src/b.d.ts", "c.d.mts"], ["src/a.js", "c.mjs", "src/b.ts"])).toEqual([
      "src/a.d.ts",
      "c.d.mts",
    ]);
    const text = '{ "compilerOptions": { "checkJs": true, "strict": true } }';
    const [edit] = await readsCode({ paths: ["tsconfig.json"], read: () => Promise.resolve(text) });
    expect(JSON.parse(edit?.text ?? "")).toEqual({ compilerOptions: { allowJs: true, checkJs: false, strict: true } });
  });
});

describe("a check", () => {
  const dir = tempFolder("loaded-");
  const git = gitIn(dir);
  let repository: Repository;
  const test = (path: string) =>
    `import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '${path}';\ntest('adds', () => assert.equal(add(1, 2), 3));\n`;
  const base = {
    "package.json": '{"type":"module"}',
    "tools/build.js":
      "import { readFileSync, writeFileSync } from 'node:fs';\nwriteFileSync('dist/add.js', '// built\\n' + readFileSync('src/add.js', 'utf8'));\n",
    "src/add.js": "export const add = (a, b) => a + b;\n",
    "dist/add.js": "// built\nexport const add = (a, b) => a + b;\n",
    "lib/load.js":
      "import { existsSync } from 'node:fs';\nconst first = new URL('../first/sum.js', import.meta.url);\nexport const { add } = await import(existsSync(first) ? first : new URL('./sum.js', import.meta.url));\n",
    "lib/sum.js": "export const add = (a, b) => a + b;\n",
    "test/add.test.js": test("../dist/add.js"),
    "test/load.test.js": test("../lib/load.js"),
  };
  const commit = () => {
    git("add", "-A");
    git("commit", "-qm", "x");
    return git("rev-parse", "HEAD^{tree}");
  };
  let baseTree = "";
  beforeAll(() => {
    git("init", "-q");
    writeFiles(dir, base);
    baseTree = commit();
    repository = requireRepository(dir);
  });
  const runner = createCommandRunner({
    environment: { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
  });

  async function doubts(kind: CheckKind, argv: CheckSpec["argv"], change: Record<string, string | Uint8Array>) {
    git("checkout", "-q", "-f", "HEAD");
    git("read-tree", "-u", "--reset", baseTree);
    writeFiles(dir, change);
    const tree = commit();
    const spec: CheckSpec = { id: "x", kind, argv, cwd: "", source: "config", timeoutMs: 60_000 };
    const run = { repository, runner, scratchRoot: tempFolder("scratch-"), spec, tree };
    const ran = await runCheck({ ...run, watched: await changedFiles(repository, baseTree, tree) });
    return loadedDoubts({ ...run, baseTree, ran });
  }

  it("[B-34] that no longer reads a file, because an added one of its name is read, is a doubt", async () => {
    const found = await doubts("test", ["node", "--test"], { "first/sum.js": "export const add = (a, b) => b + a;\n" });
    expect(found).toEqual([
      expect.objectContaining({
        kind: "other_file",
        place: "lib/sum.js",
        measure: expect.stringContaining("first/sum.js"),
      }),
    ]);
  });

  it("[B-34] a fixture or a document that the product loads is a doubt; a test that only the tests load is none", async () => {
    const override = { "lib/fixtures/fast.js": "export const add = (a, b) => a + b;\n" };
    const load = { "lib/load.js": "export { add } from './fixtures/fast.js';\n" };
    const places = async (change: Record<string, string>) =>
      (await doubts("test", ["node", "--test"], change)).map(({ kind, place }) => `${kind} ${place}`);
    expect(await places({ ...override, ...load })).toEqual(["other_file lib/fixtures/fast.js"]);
    const text =
      "import { readFileSync } from 'node:fs';\nconst text = readFileSync(new URL('../docs/add.md', import.meta.url), 'utf8');\nexport const add = new Function('a', 'b', text.split('`')[1]);\n";
    expect(await places({ "docs/add.md": "`return a + b`\n", "lib/load.js": text })).toEqual([
      "other_file docs/add.md",
    ]);
    const honest = { "lib/sum.js": "export const add = (a, b) => b + a;\n", "test/fixtures/sum.json": "[1, 2]\n" };
    const reads = `import { readFileSync } from 'node:fs';\nreadFileSync(new URL('./fixtures/sum.json', import.meta.url));\n`;
    const manifest = { "package.json": '{"type":"module","version":"2.0.0"}', "lib/new.js": "export const two = 2;\n" };
    expect(await places({ ...manifest, "test/new.test.js": "import '../lib/new.js';\n" })).toEqual([]);
    expect(await places({ ...honest, "test/more.test.js": `${reads}${test("../lib/sum.js")}` })).toEqual([]);
  });

  it("[B-34] that reads both is none", async () => {
    const found = await doubts("test", ["node", "--test"], {
      "other/sum.js": "export const sum = 1;\n",
      "lib/sum.js": "import { sum } from '../other/sum.js';\nexport const add = (a, b) => a + b + sum - 1;\n",
    });
    expect(found).toEqual([]);
  });

  it("[B-34] a built file that the build does not make is a doubt; one that it makes is none", async () => {
    const argv = ["node", "tools/build.js"] as CheckSpec["argv"];
    const mended = "// built\nexport const add = (a, b) => b + a;\n";
    expect(await doubts("build", argv, { "dist/add.js": mended })).toEqual([
      expect.objectContaining({ kind: "other_file", place: "dist/add.js" }),
    ]);
    const both = { "src/add.js": "export const add = (a, b) => b + a;\n", "dist/add.js": mended };
    expect(await doubts("build", argv, both)).toEqual([]);
  });

  it("[B-34] compiled code that a check loads is a question; a picture and an unread file are none", async () => {
    const wasm = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    const read = "import { readFileSync } from 'node:fs';\nreadFileSync(new URL('./x.bin', import.meta.url));\n";
    const source = { "lib/sum.js": `${read}export const add = (a, b) => a + b;\n` };
    expect(await doubts("test", ["node", "--test"], { ...source, "lib/x.bin": wasm })).toEqual([
      expect.objectContaining({ kind: "binary", place: "lib/x.bin" }),
    ]);
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0]);
    expect(await doubts("test", ["node", "--test"], { ...source, "lib/x.bin": png })).toEqual([]);
    expect(await doubts("test", ["node", "--test"], { "lib/y.bin": wasm })).toEqual([]);
  });
});
