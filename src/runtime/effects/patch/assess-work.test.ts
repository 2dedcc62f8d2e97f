import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { CapturedPatch, PatchJudgement, Policy } from "../../../core/contract/index.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { diffTrees } from "../../../workspace/checkout/worktree/index.ts";
import { sceneDeps } from "../../../../tests/support/effect-scene.ts";
import { assessWork } from "./assess-work.ts";
import { definesChecks } from "./paths.ts";
import { canaryFile } from "../../../../tests/support/canary-file.ts";

interface Asked {
  readonly policy?: Partial<Policy>;
  readonly taskPaths?: string[];
  readonly taskDisallowedPaths?: string[];
  readonly checkFiles?: string[];
  readonly product?: string[];
  readonly files?: Record<string, string>;
}

/** Commits the files, lets `work` change them, and judges the difference. */
async function judged(work: (dir: string) => void, asked: Asked = {}): Promise<PatchJudgement> {
  const dir = tempFolder("judge-");
  const run = gitIn(dir);
  run("init", "-q");
  put(dir, "src/a.js", "one\ntwo\nthree\n");
  put(dir, "test/a.test.js", "assert(1)\n");
  put(dir, "README.md", "hello\n");
  for (const [path, text] of Object.entries(asked.files ?? {})) put(dir, path, text);
  run("add", "-A");
  run("commit", "-qm", "base");
  const base = run("rev-parse", "HEAD^{tree}");
  work(dir);
  run("add", "-A");
  const tree = run("write-tree");
  const repository = requireRepository(dir);
  const patch = await diffTrees(repository, base, tree);
  const deps = sceneDeps({ root: dir, repository });
  const about = { kind: "diff", mediaType: "text/x-diff", summary: "work" } as const;
  const changedPaths = run("diff", "--name-only", base, tree).split("\n");
  const captured = {
    patch: await deps.artifacts.put(patch, about),
    fromTree: base,
    tree,
    changedPaths,
  } as unknown as CapturedPatch;
  const policy = {
    protectedPaths: [],
    allowedPaths: [],
    disallowedPaths: [],
    ...asked.policy,
  } as unknown as Policy;
  const outcome = await assessWork(deps, {
    kind: "judge_patch",
    key: "k",
    checkFiles: asked.checkFiles ?? [],
    pass: 0,
    patch: captured,
    policy,
    product: { globs: asked.product ?? [], baseTree: base },
    taskPaths: asked.taskPaths ?? [],
    taskDisallowedPaths: asked.taskDisallowedPaths ?? [],
  });
  if (outcome.kind !== "judge_patch") throw new Error(outcome.kind);
  return outcome.judgement;
}

const put = (dir: string, path: string, text: string) => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
};

describe("assessing captured work", () => {
  it("counts 1,000 added lines that look like headers of a patch", async () => {
    const work = await judged((dir) => put(dir, "src/a.js", "++ i;\n".repeat(1_000)));
    expect(work).toMatchObject({ addedLines: 1_000, removedLines: 3 });
    expect(work.signals).toContain("large");
    const back = { "src/a.js": "-- i;\n".repeat(1_000) };
    const removed = await judged((dir) => put(dir, "src/a.js", ""), { files: back });
    expect(removed).toMatchObject({ addedLines: 0, removedLines: 1_000 });
  });

  it("plain work is accepted and counted", async () => {
    expect(await judged((dir) => put(dir, "src/a.js", "one\n2\nthree\nfour\n"))).toMatchObject({
      verdict: "accept",
      paths: ["src/a.js"],
      protectedPaths: [],
      definingPaths: [],
      addedLines: 2,
      removedLines: 1,
      docsOnly: false,
      secretCount: 0,
    });
  });

  const rust = [
    "pub fn add(a: i32, b: i32) -> i32 {",
    "    a + b",
    "}",
    "",
    "#[cfg(test)]",
    "mod tests {",
    "    use super::*;",
    "    #[test]",
    '    fn adds() { assert_eq!(add(1, 2), 3, "}"); }',
    "}",
    "",
    "pub fn after() {}",
    "",
  ];
  const changed = (from: string, to: string) => rust.map((line) => (line === from ? to : line)).join("\n");
  it.each([
    ["an assertion is weakened", changed(rust[8] ?? "", "    fn adds() {}"), true],
    ["a test is silenced", changed("    #[test]", "    #[test]\n    #[ignore]"), true],
    ["all of it is removed", `${rust.slice(0, 4).join("\n")}\n`, true],
    ["the code above changes", changed("    a + b", "    b + a"), false],
    ["a function comes before it", changed("#[cfg(test)]", "fn more() {}\n\n#[cfg(test)]"), false],
    ["a function after it changes", changed("pub fn after() {}", "pub fn after() { add(1, 1); }"), false],
  ])("[R-32] tests inside the file they test are protected: %s", async (_what, text, expected) => {
    const files = { "src/lib.rs": rust.join("\n") };
    const judgement = await judged((dir) => put(dir, "src/lib.rs", text), { files });
    expect(judgement.protectedPaths).toEqual(expected ? [{ path: "src/lib.rs", why: "test inside" }] : []);
  });

  const example = ["/// Adds.", "/// ```", "/// assert_eq!(add(1), 2);", "/// ```", "pub fn add() {}", ""].join("\n");
  const python = "def f():\n    '''\n    >>> f()\n    3\n    '''\n    return 3\n";
  it.each([
    ["src/lib.rs", example, example.replace("2);", "3);"), true],
    ["src/lib.rs", example, example.replace("Adds.", "Adds one."), false],
    ["calc.py", python, python.replaceAll("3", "2"), true],
  ])("[R-32] examples that are run as tests are protected: %s", async (path, before, after, expected) => {
    const files = { [path]: before, "pytest.ini": "[pytest]\naddopts = --doctest-modules\n" };
    const judgement = await judged((dir) => put(dir, path, after), { files });
    expect(judgement.protectedPaths).toEqual(expected ? [{ path, why: "test inside" }] : []);
  });

  it.each([
    ["knows_the_test", "if (process.env.NODE_TEST_CONTEXT) fake();"],
    ["knows_the_test", "FAKE = 'PYTEST_CURRENT_TEST' in os.environ"],
    ["knows_the_test", "const main = process.argv[1] ?? ''; const real = !main.includes('.test.');"],
    ["knows_the_test", "const called = new Error().stack; if (called.includes('/spec/')) fake();"],
    ["knows_the_test", "if (process.env.npm_lifecycle_event) fake();"],
    ["knows_the_test", "const me = fs.readFileSync('/proc/' + process.pid + '/cmdline', 'utf8');"],
    ["knows_the_test", "if cfg!(test) { fake() }"],
    ["knows_the_test", "#[cfg(not(debug_assertions))]"],
    ["knows_the_test", "if cfg!(debug_assertions) { a + b } else { a * b }"],
    ["knows_the_test", "if __debug__: real()"],
    ["knows_the_test", "//go:build linux && !prod"],
    ["knows_the_test", "// +build !release"],
    ["knows_the_test", 'if flag.Lookup("test.v") != nil {'],
    ["knows_the_test", "FAKE = 'unittest' in sys.modules"],
    ["alters_the_runner", "import assert from 'node:assert'; assert.equal = () => {};"],
    ["alters_the_runner", "import { mock } from 'node:test';"],
    ["alters_the_runner", "import _pytest.python as p"],
    ["ends_the_process", "os._exit(0)"],
    ["ends_the_process", "process.on('exit', () => { process.exitCode = 0; });"],
  ])("[R-60] work that %s waits for a person: %s", async (reason, line) => {
    const judgement = await judged((dir) => put(dir, "src/a.js", `one\n${line}\nthree\n`));
    expect(judgement).toMatchObject({ verdict: "approval", reason, protectedPaths: [] });
    const elsewhere = await judged((dir) => put(dir, "test/b.test.js", `${line}\n`));
    expect(elsewhere.findings.map((finding) => finding.reason)).not.toContain(reason);
  });

  it("[R-60] a very long line is read to its end, in a time that grows with its length only", async () => {
    const long = `${"/a".repeat(100_000)}${"assert.a.b.".repeat(10_000)}`;
    const hidden = await judged((dir) => put(dir, "src/a.js", `${long}; process.env.NODE_TEST_CONTEXT\n`));
    expect(hidden).toMatchObject({ verdict: "approval", reason: "knows_the_test" });
    expect(await judged((dir) => put(dir, "src/a.js", `${long}\n`))).toMatchObject({ verdict: "accept" });
  });

  it("[R-60] a declaration in the place of a removed source waits for a person", async () => {
    const files = { "src/add.ts": "export const add = 1;\n" };
    const judgement = await judged(
      (dir) => {
        rmSync(join(dir, "src/add.ts"));
        put(dir, "src/add.d.ts", "export const add: any;\n");
      },
      { files },
    );
    expect(judgement).toMatchObject({ verdict: "approval", reason: "takes_types_away" });
  });

  it("[R-60] a stack of one's own and the mention of tests raise no question", async () => {
    const honest = "this.stack.push(1);\nif (/x/.test(line)) run(process.env.HOME);\n";
    expect(await judged((dir) => put(dir, "src/a.js", honest))).toMatchObject({ verdict: "accept" });
  });

  it.each([
    ["exits", "process.exit(0);"],
    ["silences", "// eslint-disable no-undef"],
    ["silences", "x = y  # type: ignore"],
  ])("[R-40] what %s counts for the review and stops nothing: %s", async (sign, line) => {
    const judgement = await judged((dir) => put(dir, "src/a.js", `one\n${line}\nthree\n`));
    expect(judgement).toMatchObject({ verdict: "accept", signals: [sign] });
  });

  it("[B-5] a letter that cannot be seen is named, and a person is asked", async () => {
    const judgement = await judged((dir) => put(dir, "src/a.js", "export const add = (a, \u3164) => a;\n"));
    expect(judgement).toMatchObject({ verdict: "approval", reason: "invisible_characters" });
    expect(judgement.message).toContain("cannot be seen: U+3164");
    const honest = await judged((dir) => put(dir, "src/b.js", "export const smile = '\u{1f642}\ufe0f é';\n"));
    expect(honest.verdict).toBe("accept");
  });

  it("[B-5] a name with letters of two alphabets that look alike asks a person, words of one alphabet do not", async () => {
    const judgement = await judged((dir) => put(dir, "src/a.js", "export const \u0430dd = (a) => a;\n"));
    expect(judgement).toMatchObject({ verdict: "approval", reason: "lookalike_letters" });
    const text =
      "export const hi = '\u043f\u0440\u0438\u0432\u0435\u0442, HTTP-\u0437\u0430\u043f\u0440\u043e\u0441';\n";
    expect((await judged((dir) => put(dir, "src/b.js", text))).verdict).toBe("accept");
  });

  it.each([
    ["a Greek letter in a Latin name", "const r\u03bfle = 'root';", "lookalike_letters", "U+03BF"],
    [
      "a name of Cyrillic letters that reads as one of the file",
      "const \u0430\u0435 = 1, ae = 2;",
      "lookalike_letters",
      "U+0430",
    ],
    ["fullwidth letters", "const \uff41dd = 1;", "lookalike_letters", "U+FF41"],
    ["a joiner in a name", "const a\u200dd = 1, ad = 2;", "invisible_characters", "U+200D"],
    ["a non-joiner at the end of a name", "const ad\u200c = 1;", "invisible_characters", "U+200C"],
    ["a variation of a letter", "const ad\ufe0f = 1;", "invisible_characters", "U+FE0F"],
    ["a line separator in a comment", "// safe\u2028export const wrong = 1;", "invisible_characters", "U+2028"],
    ["a paragraph separator", "// safe\u2029export const wrong = 1;", "invisible_characters", "U+2029"],
    ["a default-ignorable letter", "const a\u{e0101} = 1;", "invisible_characters", "U+E0101"],
    ["text far to the right", `const a = 1; //${" ".repeat(300)}\u00b7 more`, "invisible_characters", "200 blanks"],
    ["a command for the terminal", "const a = 1; //\u001b[2K", "invisible_characters", "U+001B"],
    ["a return inside of a line", "// safe\rexport const wrong = 1;", "invisible_characters", "U+000D"],
  ])("[B-5] %s asks a person on autopilot too", async (_, line, reason, code) => {
    const judgement = await judged((dir) => put(dir, "src/a.js", `${line}\n`));
    expect(judgement).toMatchObject({ verdict: "approval", reason });
    expect(judgement.message).toContain(code);
  });

  it.each([
    [
      "a family and a flag",
      "export const a = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}';",
    ],
    ["a keycap", "export const a = '1\ufe0f\u20e3';"],
    ["Persian with a non-joiner", "export const a = '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645';"],
    ["Greek and Russian sentences", "export const a = 'Καλημέρα', b = 'а они не сор';"],
    ["a table and a line that ends as Windows ends it", `const a = 1;${" ".repeat(100)}// one\r`],
    ["units", "const Δx = 1, kΩ = 2, μs = 3, naïve = 4;"],
  ])("[B-5] %s asks nobody", async (_, line) => {
    expect((await judged((dir) => put(dir, "src/a.js", `${line}\n`))).verdict).toBe("accept");
  });

  it("[R-32] a changed test is protected and defines a check", async () => {
    const judgement = await judged((dir) => put(dir, "test/a.test.js", "assert(true)\n"));
    expect(judgement).toMatchObject({
      verdict: "approval",
      definingPaths: ["test/a.test.js"],
      signals: ["tests"],
    });
    expect(judgement.protectedPaths).toEqual([
      { path: "test/a.test.js", why: expect.stringContaining("test"), change: "changed", effect: "weakens" },
    ]);
  });

  it.each([
    "package.json",
    ".github/workflows/ci.yml",
    "vitest.config.ts",
    "tsconfig.json",
    "Makefile",
    "conftest.py",
    "pkg/foo_test.go",
    "src/__tests__/x.js",
    "a/__snapshots__/x.snap",
  ])("[R-32] %s decides acceptance, so it is protected and taken from the base", async (path) => {
    const judgement = await judged((dir) => put(dir, path, "x\n"));
    expect(judgement.definingPaths).toEqual([path]);
    expect(judgement.verdict).toBe("approval");
  });

  it("docs alone are docs only, and not when a script hides among them", async () => {
    expect((await judged((dir) => put(dir, "README.md", "bye\n"))).docsOnly).toBe(true);
    expect((await judged((dir) => (put(dir, "README.md", "x\n"), put(dir, "src/a.js", "x\n")))).docsOnly).toBe(false);
    expect((await judged((dir) => put(dir, "requirements.txt", "x==1\n"))).docsOnly).toBe(false);
    expect((await judged((dir) => put(dir, "CMakeLists.txt", "x\n"))).docsOnly).toBe(false);
  });

  it("[S-6] paths outside what the run or the task allows are refused", async () => {
    const work = (dir: string) => put(dir, "src/a.js", "x\n");
    expect(await judged(work, { policy: { allowedPaths: ["docs/**"] } })).toMatchObject({
      verdict: "reject",
      outsidePaths: ["src/a.js"],
    });
    expect(await judged(work, { policy: { disallowedPaths: ["src/**"] } })).toMatchObject({
      verdict: "reject",
    });
    expect(await judged(work, { taskPaths: ["lib/**"] })).toMatchObject({
      verdict: "reject",
      reason: "path_not_allowed",
      outsidePaths: ["src/a.js"],
    });
    expect(await judged(work, { taskDisallowedPaths: ["src/a.js"] })).toMatchObject({ verdict: "reject" });
    expect(await judged(work, { taskPaths: ["src/**"] })).toMatchObject({
      verdict: "accept",
      outsidePaths: [],
    });
  });

  it("[S-6] a link that leaves the repository is not accepted", async () => {
    const canary = canaryFile();
    const judgement = await judged((dir) => symlinkSync(canary.path, join(dir, "innocent.txt")));
    expect(judgement.verdict).toBe("reject");
    expect(canary.isUntouched()).toBe(true);
  });

  it("a policy file for the runtime itself cannot be part of a patch", async () => {
    const judgement = await judged((dir) => put(dir, ".thehood/config.json", "{}\n"));
    expect(judgement).toMatchObject({ verdict: "reject", paths: [".thehood/config.json"] });
  });

  it("[S-3] a secret in the added lines is counted and waits for a person", async () => {
    const secret = [..."VBN9XWKL4M2TDQ7ZAIKA"].toReversed().join("");
    const judgement = await judged((dir) => put(dir, "src/a.js", `one\nconst k = "${secret}";\nthree\n`));
    expect(judgement).toMatchObject({ secretCount: 1, verdict: "approval", reason: "secret_in_patch" });
  });

  it("[B-28] [S-3] so is one in the name of a new file", async () => {
    const secret = ["gh", "p_", "h4Kd8Vb2Xn6Qm1Tz9Lr3Ws7Pc5Jf0Gy2Ae8U"].join("");
    const judgement = await judged((dir) => put(dir, `src/${secret}.js`, "one\n"));
    expect(judgement).toMatchObject({ secretCount: 1, verdict: "approval", reason: "secret_in_patch" });
  });

  it("what only the user protects also defines a check", () => {
    expect(definesChecks("handbook/x.txt", [])).toBe(false);
    expect(definesChecks("handbook/x.txt", ["handbook/**"])).toBe(true);
  });
});

describe("files that a person declared as product", () => {
  const files = {
    "src/api.js": "import spec from './openapi.spec.js';\nreadFileSync('src/fixtures/prices.json');\n",
    "src/openapi.spec.js": "export default {};\n",
    "src/fixtures/prices.json": "[1]\n",
    "src/other.spec.js": "export const other = 1;\n",
    "src/real.spec.js": "it('holds', () => {});\n",
    "cases/fixtures/expected.json": "[3]\n",
  };
  const change = (path: string, text = "export default { changed: 1 };\n") =>
    judged((dir) => put(dir, path, text), { files, product: ["src/**", "cases/**", "conftest.py"] });

  it.each(["src/openapi.spec.js", "src/fixtures/prices.json", "src/new.spec.js"])(
    "[B-3] ask for nothing extra: %s",
    async (path) => {
      expect(await change(path)).toMatchObject({
        verdict: "accept",
        declaredPaths: [path],
        protectedPaths: [],
        definingPaths: [],
      });
      const undeclared = await judged((dir) => put(dir, path, "changed\n"), { files });
      expect(undeclared).toMatchObject({ verdict: "approval", protectedPaths: [{ path }] });
    },
  );

  it.each([
    ["a file that holds tests", "src/real.spec.js"],
    ["a file that nothing of the product uses", "src/other.spec.js"],
    ["data that only tests can use", "cases/fixtures/expected.json"],
    ["a file that runners load by its name", "src/conftest.py"],
    ["a stand-in that runners load by its folder", "src/__mocks__/api.js"],
    ["a snapshot", "src/__snapshots__/api.snap"],
    ["a manifest", "src/package.json"],
  ])("[B-3] stay a question: %s", async (_, path) => {
    const judgement = await change(path);
    expect(judgement.verdict).toBe("approval");
    expect(judgement.declaredPaths).toBeUndefined();
    expect(judgement.definingPaths).toEqual([path]);
    expect(judgement.protectedPaths[0]?.why).toContain("you declared it as product, and it is a test here");
  });

  it("[B-3] stay a question when the user's policy protects them or a check of the base runs them", async () => {
    const work = (dir: string) => put(dir, "src/openapi.spec.js", "export default { changed: 1 };\n");
    const product = ["src/openapi.spec.js"];
    for (const more of [{ policy: { protectedPaths: ["src/*.spec.js"] } }, { checkFiles: product }])
      expect((await judged(work, { files, product, ...more })).verdict).toBe("approval");
  });
});

describe("[B-26] compiled code in the product is a question of its own", () => {
  const compiled = "\u007fELF\0\0\0\u0001";
  it.each(["src/add.node", "lib/add.so", "lib/libadd.so.1.2", "src/add.wasm", "bin/add.exe"])(
    "%s, whether or not a check loads it",
    async (path) => {
      const { findings } = await judged((dir) => put(dir, path, compiled));
      expect(findings).toContainEqual(expect.objectContaining({ reason: "binary_source", path }));
    },
  );

  it("a picture and the data of a test are none", async () => {
    const { findings } = await judged((dir) => {
      put(dir, "assets/logo.png", "\u0089PNG\0\0");
      put(dir, "test/fixtures/sample.wasm", compiled);
    });
    expect(findings.filter(({ reason }) => reason === "binary_source")).toEqual([]);
  });
});
