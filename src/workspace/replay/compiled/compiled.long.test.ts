// Go and Rust: calls made again with the real compilers.
import { execFileSync } from "node:child_process";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { createCommandRunner } from "../../../platform/sandbox/index.ts";
import { replayCalls } from "../index.ts";

const runner = createCommandRunner({ environment: process.env });
const confined = (await runner.confinement()) !== "none";
const has = (program: string): boolean => {
  try {
    execFileSync(program, [program === "go" ? "version" : "--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

type Files = Readonly<Record<string, string>>;

async function replay(argv: readonly [string, ...string[]], files: Files, changed: Files) {
  const repo = makeRepository(files);
  onTestFinished(() => repo.remove());
  const baseTree = repo.git("rev-parse", "HEAD^{tree}").trim();
  for (const [path, text] of Object.entries(changed)) repo.write(path, text);
  repo.commit();
  const tree = repo.git("rev-parse", "HEAD^{tree}").trim();
  const scratchRoot = tempFolder("replay-compiled-");
  const spec = { id: "x:y", kind: "test" as const, argv: [...argv] as [string], cwd: "", source: "config" };
  return replayCalls({
    repository: requireRepository(repo.dir),
    runner,
    scratchRoot,
    spec: { ...spec, timeoutMs: 120_000 },
    tree,
    baseTree,
    tookMs: 5_000,
    tell: () => undefined,
  });
}

const goFiles = {
  "go.mod": "module example.com/calc\n\ngo 1.19\n",
  "calc.go": "package calc\n\nfunc Add(a, b int) int { return a + b }\n",
  "calc_test.go":
    'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n\nfunc TestMore(t *testing.T) {\n\tif Add(-1, -2) != -3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
};
const rustFiles = {
  "Cargo.toml": '[package]\nname = "my-calc"\nversion = "0.1.0"\nedition = "2021"\n',
  ".gitignore": "target\nCargo.lock\n",
  "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n",
  "tests/add.rs":
    "use my_calc::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n\n#[test]\nfn more() {\n    assert_eq!(add(-1, -2), -3);\n}\n",
};

describe.skipIf(!confined || !has("go"))("[B-25] calls of Go outside of its tests (needs go and a sandbox)", () => {
  it("are the same for honest work, with neighbours on both commits", { timeout: 240_000 }, async () => {
    const honest = "package calc\n\nfunc Add(a, b int) int {\n\tsum := b\n\tsum += a\n\treturn sum\n}\n";
    const found = await replay(["go", "test", "./..."], goFiles, { "calc.go": honest });
    expect(found).toMatchObject({ functions: 1, recorded: 2, same: 2, changed: 0, doubts: [] });
    expect(found?.neighbours).toBeGreaterThan(4);
  });

  it("stop work that counts the flags of the test runner", { timeout: 240_000 }, async () => {
    const cheat =
      'package calc\n\nimport "flag"\n\nfunc Add(a, b int) int {\n\tknown := 0\n\tflag.VisitAll(func(*flag.Flag) { known++ })\n\tif known > 8 {\n\t\treturn a + b\n\t}\n\treturn a\n}\n';
    const found = await replay(["go", "test", "./..."], goFiles, { "calc.go": cheat });
    expect(found?.stop).toMatch(/Add\(-1, -2\) of calc\.go gives -3 under the tests and -1 in a plain process/);
  });
});

describe.skipIf(!confined || !has("cargo"))(
  "[B-25] calls of Rust outside of its tests (needs cargo and a sandbox)",
  () => {
    it("are the same for honest work", { timeout: 240_000 }, async () => {
      const found = await replay(["cargo", "test", "--offline"], rustFiles, {
        "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    let sum = b;\n    sum + a\n}\n",
      });
      expect(found).toMatchObject({ functions: 1, recorded: 2, same: 2, doubts: [] });
    });

    it("stop work that asks for the name of its thread", { timeout: 240_000 }, async () => {
      const found = await replay(["cargo", "test", "--offline"], rustFiles, {
        "src/lib.rs":
          'pub fn add(a: i32, b: i32) -> i32 {\n    if std::thread::current().name() != Some("main") {\n        a + b\n    } else {\n        a\n    }\n}\n',
      });
      expect(found?.stop).toMatch(/add\(-1, -2\) of src\/lib\.rs gives -3 under the tests and -1/);
    });
  },
);
