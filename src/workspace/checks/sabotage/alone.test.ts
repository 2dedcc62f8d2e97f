import { describe, expect, it } from "vitest";
import { lastTestAlone } from "./alone.ts";

describe("[B-6] the last test of a file, alone", () => {
  it.each([
    [
      "a.test.js",
      "test('a', f);\n  it('b', g);\ntest('c', h);\n",
      "test.skip('a', f);\n  it.skip('b', g);\ntest('c', h);\n",
    ],
    [
      "test_a.py",
      "def test_a():\n  pass\nasync def test_b():\n  pass\n",
      "def left_out_test_a():\n  pass\nasync def test_b():\n  pass\n",
    ],
    [
      "a_test.go",
      "func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}\n",
      "func leftOutTestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}\n",
    ],
    [
      "lib.rs",
      "  #[test]\n  fn a() {}\n  #[test]\n  fn b() {}\n",
      "  #[allow(dead_code)]\n  fn a() {}\n  #[test]\n  fn b() {}\n",
    ],
  ])("in %s the others are left out", (path, text, made) => {
    expect(lastTestAlone(path, text, 0)).toBe(made);
    expect(lastTestAlone(path, text, 3)).toBe(`\n\n\n${made}`);
  });

  it("words in texts and comments are not tests, and one test is moved only", () => {
    expect(lastTestAlone("a.test.js", "// test('x')\nconst s = `\ntest('y')`;\n", 2)).toBeNull();
    expect(lastTestAlone("a.test.js", "test('a', f);\n", 2)).toBe("\n\ntest('a', f);\n");
    expect(lastTestAlone("a.rb", "it('a')\nit('b')\n", 2)).toBeNull();
  });
});
