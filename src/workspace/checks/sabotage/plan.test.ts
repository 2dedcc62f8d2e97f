import { describe, expect, it } from "vitest";
import { failingFiles, wrongExpectations, wrongInBoth } from "./canary.ts";
import { functionsIn } from "./functions.ts";
import { codeOnly, type Language } from "./language.ts";
import { type ChangedFile, planMistakes, planSabotages, unitPlaces } from "./plan.ts";
import { isSameCode } from "./same-code.ts";

const file = (path: string, before: string | null, after: string, line = 1): ChangedFile => ({
  path,
  before,
  after,
  hunks: before === null ? [] : [{ old: { start: line, count: 1 }, new: { start: line, count: 1 } }],
});
const texts = (one: ChangedFile) => planSabotages([one]).map(({ edits }) => edits[0]?.text);

describe("[B-6] things broken on purpose", () => {
  it.each<[Language, string, string]>([
    ["js", 'a /* x */ + "b" // c', "a         +         "],
    ["js", "x = /[/]a'/; y", "x =        ; y"],
    ["python", "a # b\n'''x\ny''' + 1", "a    \n    \n     + 1"],
    ["rust", "fn f<'a>(x: &'a str) { 'x' }", "fn f<'a>(x: &'a str) {     }"],
    ["go", "a := `x` // y", "a :=         "],
  ])("%s: strings and comments are not code: %s", (language, text, code) => {
    expect(codeOnly(text, language)).toBe(code);
  });

  it.each<[Language, string, readonly string[]]>([
    ["js", "export function add(a, b) {\n  return a + b;\n}\nclass A { x() { return 1; } }", ["add"]],
    ["js", "export const add = (a, b) => a + b;\nconst f = async (x) => { return x; };", ["add", "f"]],
    ["js", "class A {\n  async get(x: string): Promise<string> {\n    if (x) { return x; }\n  }\n}", ["get"]],
    ["python", "def add(a, b):\n    return a + b\nclass A:\n    def x(self): return 1\n", ["add", "x"]],
    [
      "go",
      "func Add(a, b int) int {\n\treturn a + b\n}\nfunc (t *T) Get() (interface{}, error) { return nil, nil }",
      ["Add", "Get"],
    ],
    ["rust", "pub fn add(a: i32) -> i32 { a + 1 }\n#[cfg(test)]\nmod tests { fn helper() {} }", ["add"]],
  ])("%s: functions are found by their names", (language, text, names) => {
    expect(functionsIn(text, language).map(({ name }) => name)).toEqual(names);
  });

  it.each<[string, string, string]>([
    ["a.js", "export const add = (a, b) => a + b;", "export const add = (a, b) => true ? undefined : a + b;"],
    ["a.js", "function f() { return 1; }", "function f() { return undefined; return 1; }"],
    ["a.py", "def f(a):\n    return a\n", "def f(a):\n    return None\n    return a\n"],
    ["a.py", "def f(a): return a\n", "def f(a): return None\n"],
    ["a.go", "func F(a int) bool { return a == 1 }", "func F(a int) bool { return a != 1 }"],
    ["a.go", "func F() { g() }", 'func F() { panic("x"); g() }'],
    ["a.rs", "fn f(a: i32) -> i32 { a * 2 }", "fn f(a: i32) -> i32 { a + 2 }"],
  ])("%s: a function that both trees have is broken in both: %s", (path, text, broken) => {
    const [first] = planSabotages([file(path, text, `${text}\n`)]);
    expect(first?.edits[0]?.text).toBe(`${broken}\n`);
    expect(first?.onBase?.[0]?.text).toBe(broken);
  });

  it("only functions of the same name are compared with the base", () => {
    const moved = file("a.js", "const f = () => 1;\nconst g = () => 2;", "const g = () => 2;");
    expect(planSabotages([moved])[0]).toMatchObject({
      what: "g in a.js broken",
      onBase: [{ text: "const f = () => 1;\nconst g = () => true ? undefined : 2;" }],
    });
    const renamed = file("a.js", "const f = () => 1;", "const h = () => 1;");
    const comparable = planSabotages([renamed]).filter(({ onBase, neutral }) => onBase !== null && !neutral);
    expect(comparable.map(({ what }) => what)).toEqual(["a.js emptied"]);
  });

  const unitsOf = (one: ChangedFile) => unitPlaces(planSabotages([one]));

  it.each<[string, string, string]>([
    ["a.js", "export function top(all, most = 100) {\n  return all.slice(0, most);\n}\n", "top in a.js:1"],
    ["a.ts", "export function is(\n  kind: 'a' | 'b' = 'a',\n) {\n  return kind;\n}\n", "is in a.ts:3"],
    [
      "a.ts",
      "export const cut = (\n  text: string,\n  most = 80,\n) => {\n  return text.slice(0, most);\n};\n",
      "cut in a.ts:4",
    ],
    ["a.py", "def price(\n    net,\n    rate=20,\n):\n    return net * rate\n", "price in a.py:5"],
  ])("parameters with their types and defaults belong to their function: %s %s", (path, text, place) => {
    expect(unitsOf(file(path, null, text))).toEqual([place]);
  });

  it("a default that changes changes its function", () => {
    const text = (rate: number) => `def price(\n    net,\n    rate=${rate},\n):\n    return net * rate\n`;
    expect(unitsOf(file("a.py", text(20), text(21), 3))).toEqual(["price in a.py:5"]);
    const arrow = (most: number) =>
      `export const cut = (\n  text,\n  most = ${most},\n) => {\n  return text.slice(0, most);\n};\n`;
    expect(unitsOf(file("a.js", arrow(1), arrow(2), 3))).toEqual(["cut in a.js:4"]);
  });

  it("the values of the changed lines are made wrong, one at a time, and no others", () => {
    const found = texts(file("a.js", "const k = 1;\nf(0);", "const k = a === 5;\nf(0);"));
    expect(found).toContain("const k = a !== 5;\nf(0);");
    expect(found).toContain("const k = a === 6;\nf(0);");
    expect(found.some((text) => text?.includes("f(1)"))).toBe(false);
    expect(texts(file("a.c", "int a = 1;", "int a = 2;"))).toEqual(["", "int a = 3;"]);
    expect(texts(file("t.json", '{"a": "x"}', '{"a": "y"}'))).toContain('{"a": "y0"}');
  });

  it("each changed function is a unit of its own, and each is broken once before any is broken twice", () => {
    const before =
      "export const add = (a, b) => a + b;\nexport function sub(a, b) {\n  return a - b;\n}\nexport const one = () => 1;\n";
    const after =
      "export const add = (a, b) => b + a;\nexport function sub(a, b) {\n  return -b + a;\n}\nexport const one = () => 1;\n";
    const hunk = { start: 1, count: 4 };
    const whole = { path: "a.js", before, after, hunks: [{ old: hunk, new: hunk }] };
    expect(unitsOf(whole).toSorted()).toEqual(["add in a.js:1", "sub in a.js:2"]);
    const values = planSabotages([whole]).filter(({ unit }) => unit !== undefined);
    expect(new Set(values.slice(0, 2).map(({ unit }) => unit)).size).toBe(2);
    expect(unitsOf({ ...whole, before: null }).toSorted()).toEqual(["add in a.js:1", "one in a.js:5", "sub in a.js:2"]);
  });

  it.each([
    ["a.js", "export const sub=(a,b)=>{\nreturn a-b}\n", "export const sub = (a, b) => {\n  return a - b;\n};\n"],
    ["a.js", "f('x', [1, 2])\ng()\n", 'f(\n  "x",\n  [1, 2],\n);\ng();\n'],
    ["a.py", "def f(a):\n    return a+1 # x\n", "def f(a):\n\n    return a + 1\n"],
    ["a.go", "func F() int { return 1+2 }\n", "func F() int { return 1 + 2 }\n"],
  ])("a change of format in %s has no function that a check must reach", (path, before, after) => {
    expect(isSameCode(path, before, after)).toBe(true);
    const count = (text: string) => text.split("\n").length;
    const hunks = [{ old: { start: 1, count: count(before) }, new: { start: 1, count: count(after) } }];
    expect(unitsOf({ path, before, after, hunks })).toEqual([]);
  });

  it.each([
    ["a.js", "return a + b", "return\na + b"],
    ["a.js", "a\n++b", "a++\nb"],
    ["a.js", "x = a;\n(b)()", "x = a\n(b)()"],
    ["a.js", "[1,,]", "[1,]"],
    ["a.js", "f('a')", "f('b')"],
    ["a.js", "a + +b", "a ++b"],
    ["a.py", "if a:\n    b()\nc()", "if a:\n    b()\n    c()"],
    ["a.go", "return a\n+b", "return a + b"],
  ])("what only looks like a change of format in %s is none: %s", (path, before, after) => {
    expect(isSameCode(path, before, after)).toBe(false);
  });

  it("lines that are removed outside of functions leave nothing to reach; inside, the function is changed", () => {
    const gone = { path: "a.js", before: "const f = () => 1;\nconst dead = () => 2;\n", after: "const f = () => 1;\n" };
    expect(unitsOf({ ...gone, hunks: [{ old: { start: 2, count: 1 }, new: { start: 1, count: 0 } }] })).toEqual([]);
    const inside = {
      path: "a.js",
      before: "function f(a) {\n  check(a);\n  return a + 1;\n}\n",
      after: "function f(a) {\n  return a + 1;\n}\n",
    };
    const hunks = [{ old: { start: 2, count: 1 }, new: { start: 1, count: 0 } }];
    expect(unitsOf({ ...inside, hunks })).toEqual(["f in a.js:1"]);
  });

  it("an operator of Go is turned alone, and a comment that changes nothing is tried", () => {
    const go = "func F(a int) bool { return a > 1 && a * 2 < 9 }";
    const [first] = planSabotages([file("a.go", go, `${go}\n`)]);
    expect(first?.edits[0]?.text).toBe("func F(a int) bool { return a <= 1 && a * 2 < 9 }\n");
  });

  it("[B-6] comments in each changed function change nothing and are tried, since code can read its own text", () => {
    const neutral = (...files: readonly ChangedFile[]) => planSabotages(files).find((one) => one.neutral);
    expect(neutral(file("a.js", "const a = 1;\n", "const a = 2;\n"))).toMatchObject({
      what: "a comment in each function of a.js",
      edits: [{ text: "const a = 2;\n// end\n" }],
      onBase: [{ text: "const a = 1;\n// end\n" }],
    });
    const made = "function f() {\n  return 1;\n}\nconst g = (a) => a;\n";
    const python = "def f(a):\n    return a\ndef g(a): return a\n";
    expect(neutral(file("a.js", null, made), file("a.py", null, python))).toMatchObject({
      what: "a comment in each function of a.js and 1 more",
      edits: [
        { text: "function f() { /* in */ \n  return 1;\n}\nconst g = (a) =>  /* in */ a;\n// end\n" },
        { text: "def f(a):\n    # in\n    return a\ndef g(a): return a\n# end\n" },
      ],
      onBase: null,
    });
    const idle = planSabotages([file("a.js", null, made), file("a.py", null, python)]).filter((one) => one.neutral)[1];
    expect(idle).toMatchObject({
      what: "a statement that does nothing in each function of a.js and 1 more",
      value: true,
      edits: [
        { text: "function f() { void 0; \n  return 1;\n}\nconst g = (a) => false ? undefined : a;\n" },
        { text: "def f(a):\n    pass\n    return a\ndef g(a): return a\n" },
      ],
    });
  });

  it("checks that only read code get a mistake that the base would show as well", () => {
    const one = file("a.ts", "let a = 1;", "let a = 2;");
    expect(planMistakes([one], "typecheck").map(({ what }) => what)).toEqual([
      "a wrong type in a.ts",
      "a type left out in a.ts",
    ]);
    expect(planMistakes([file("b.ts", null, "x")], "lint")).toEqual([]);
    expect(planMistakes([one], "lint")[0]?.onBase?.[0]?.text).toContain("let a = 1;");
  });

  it.each([
    ["t.test.js", "test('adds', () => assert.equal(add(1, 2), 3));", "assert.equal(add(1, 2), 7922));"],
    ["t.test.js", "expect(name()).toBe('abc');", "toBe('abc0');"],
    ["test_a.py", "    assert add(1, 2) == 3", "== 7922"],
    ["a_test.go", "\tif got := Add(1, 2); got != 3 {", "got != 7922 {"],
    ["lib.rs", "        assert_eq!(add(1, 2), 3);", "add(1, 2), 7922);"],
  ])("a wrong expectation is planted in %s: %s", (path, line, wrong) => {
    expect(wrongExpectations(path, `first\n${line}`)[0]?.text).toContain(wrong);
    expect(wrongExpectations(path, `first\n${line}`)[0]?.line).toBe(2);
  });

  it("an expectation in the middle of a line is found, and one at its end goes first", () => {
    const text = "verify(add(1, 2), 3); console.log('4 done');\nassert.equal(add(1, 2), 3);\n";
    const found = wrongExpectations("a.test.js", text);
    expect(found.map(({ line }) => line)).toEqual([2, 1]);
    expect(found[1]?.text).toContain("verify(add(1, 2), 7922); console.log('4 done');");
  });

  it("the expectation of a line is made wrong, not what the program returns behind it", () => {
    const line = "int main(void) { assert(add(1, 2) == 3); assert(add(2, 2) == 4); return 0; }";
    const [first] = wrongExpectations("t.c", line);
    expect(first?.text).toBe(line.replace("== 3", "== 7922"));
  });

  it("a file that holds its own tests gets the same wrong expectation in both versions", () => {
    const tests = "#[cfg(test)]\nmod tests {\n    #[test] fn adds() { assert_eq!(add(1, 2), 3); }\n}\n";
    const both = wrongInBoth("lib.rs", `fn add() {}\n${tests}`, `macro!();\nfn add() {}\n${tests}`);
    expect([both?.before.line, both?.after.line]).toEqual([4, 5]);
    expect(both?.after.text).toContain("add(1, 2), 7922");
    expect(wrongInBoth("lib.rs", "fn f() -> bool { 1 == 1 }", "fn f() -> bool { 1 == 1 }")).toBeNull();
  });

  it("where no expectation is found the file itself fails", () => {
    expect(wrongExpectations("a.test.js", "import x from './y.js';\nrun(x);")).toEqual([]);
    expect(failingFiles("a.test.js", "run(x);")[0]?.text).toContain("throw new Error");
    const shell = failingFiles("x.sh", "#!/bin/sh\necho").map(({ text }) => text);
    expect(shell).toEqual(["#!/bin/sh\necho\nexit 1\n", "#!/bin/sh\nexit 1\necho"]);
    expect(failingFiles("lib.rs", "fn f() {}")).toEqual([]);
  });

  it.each([
    ["a.py", 'def main():\n    return 1\n\n\nif __name__ == "__main__":\n    main()\n'],
    ["a.js", "export const main = () => 1;\nif (require.main === module) main();\n"],
    ["a.mjs", "export const main = () => 1;\nif (process.argv[1] === import.meta.filename) {\n  main();\n}\n"],
  ])("whether %s is the program itself is no value of its own", (path, after) => {
    const all = planSabotages([{ path, before: null, after, hunks: [] }]);
    const places = new Set(all.flatMap(({ unit }) => unit ?? []));
    expect([...places]).toEqual([expect.stringContaining("main in")]);
  });

  it("a very long file is looked at, and no more is made of it than can be tried", () => {
    const table = (rows: number) =>
      `export const rows = [\n${Array.from({ length: rows }, (_, at) => `  [${at}, 'row'],`).join("\n")}\n];\n`;
    expect(planSabotages([file("src/rows.js", null, table(20_000))]).length).toBeLessThan(10);
    const [before, after] = [table(20_000), table(20_001)];
    const hunks = [{ old: { start: 2, count: 20_000 }, new: { start: 2, count: 20_001 } }];
    expect(planSabotages([{ path: "src/rows.js", before, after, hunks }]).length).toBeLessThan(10);
    const go = Array.from({ length: 9_000 }, (_, at) => `func F${at}(a int) int { return a + ${at} }`);
    const text = `package calc\n\n${go.join("\n")}\n`;
    expect(text.length).toBeLessThan(400_000);
    const one = { path: "calc.go", before: text, after: text.replaceAll(" + ", " - ") };
    const whole = { old: { start: 3, count: 9_000 }, new: { start: 3, count: 9_000 } };
    expect(planSabotages([{ ...one, hunks: [whole] }]).length).toBeLessThan(130);
    const asserts = Array.from({ length: 8_000 }, (_, at) => `assert.equal(add(${at}, 1), ${at + 1});`);
    expect(wrongExpectations("a.test.js", asserts.join("\n")).length).toBeLessThanOrEqual(40);
  });
});
