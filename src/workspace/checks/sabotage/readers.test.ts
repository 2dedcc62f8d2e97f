import { describe, expect, it } from "vitest";
import { readersOf } from "./readers.ts";
import { ownerOf } from "./titles.ts";

const source = (path: string, text: string) => ({ path, text });

describe("[B-6] the tests that read a changed file", () => {
  it("in JavaScript, directly and through other files, whatever the ending", () => {
    const tests = [
      source("test/add.test.ts", 'import { add } from "../src/add.js";'),
      source("test/whole.test.ts", 'import * as all from "../src/index.js";'),
      source("test/sub.test.ts", 'import { sub } from "../src/sub.js";'),
      source("test/alias.test.ts", 'import { add } from "@/src/add";'),
    ];
    const sources = [
      source("src/index.ts", 'export * from "./sums.ts";'),
      source("src/sums.ts", 'export * from "./add.ts";'),
      source("src/add.ts", ""),
      source("src/sub.ts", ""),
    ];
    expect(readersOf(["src/add.ts"], tests, sources)).toEqual([
      "test/add.test.ts",
      "test/whole.test.ts",
      "test/alias.test.ts",
    ]);
  });

  it("in Python by module, also below src and by names of a package", () => {
    const tests = [
      source("tests/test_add.py", "from calc.add import add\n"),
      source("tests/test_pack.py", "from calc import (\n    add,\n    sub,\n)\n"),
      source("tests/test_sub.py", "import calc.sub as s\n"),
      source("tests/test_whole.py", "import calc\n"),
    ];
    const sources = [
      source("src/calc/__init__.py", "from .add import add\n"),
      source("src/calc/add.py", ""),
      source("src/calc/sub.py", ""),
    ];
    expect(readersOf(["src/calc/add.py"], tests, sources)).toEqual([
      "tests/test_add.py",
      "tests/test_pack.py",
      "tests/test_sub.py",
      "tests/test_whole.py",
    ]);
  });

  it("in Go by folder and import path, in Rust by crate", () => {
    const go = [source("calc/add_test.go", "package calc\n"), source("web/web_test.go", 'import "x.org/m/calc"\n')];
    const other = source("text/text_test.go", 'import "testing"\n');
    expect(readersOf(["calc/add.go"], [...go, other], [])).toEqual(["calc/add_test.go", "web/web_test.go"]);
    expect(readersOf(["src/lib.rs"], [source("tests/add.rs", "")], [])).toEqual(["tests/add.rs"]);
  });
});

describe("[B-6] the file of a reported test", () => {
  it("by the file in its name, else by a title that the file holds", () => {
    const owns = ownerOf("test/add.test.js", "test('adds', f);\ntest(`adds ${a} and ${b}`, g);\n");
    expect(["add.test.js > adds", "adds", "adds # and #"].map(owns)).toEqual([true, true, true]);
    expect(["sub.test.js > adds", "subtracts"].map(owns)).toEqual([false, false]);
    const python = ownerOf("tests/test_add.py", "def test_adds():\n  pass\n");
    expect(python("tests/test_add.py::test_adds")).toBe(true);
    expect(python("test_other (tests.test_add.T)")).toBe(true);
    expect(python("tests/test_sub.py::test_adds")).toBe(false);
  });
});
