// Functions that give another value of the same kind, run by the programs themselves.
import { execFileSync } from "node:child_process";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { change } from "./break.ts";
import { functionsIn } from "./functions.ts";
import type { Language } from "./language.ts";
import { otherValue } from "./other-value.ts";
import { has } from "../../../../tests/support/replay.ts";

function broken(text: string, language: Language, path: string): string | null {
  const [found] = functionsIn(text, language);
  const made = found && otherValue(text, found, language, path);
  return made ? change(text, made) : null;
}
const run = (program: string, ...words: string[]): string => execFileSync(program, words, { encoding: "utf8" }).trim();

describe("[B-6] another value of the same kind", () => {
  it.each([
    ["const f = (a) => a * 2;", "f(3)", "7"],
    ["const f = (a) => a + 'x';", "f('a')", '"ax0"'],
    ["function f(a) {\n  if (a > 2) return true;\n  return false;\n}", "f(3)", "false"],
    ["function f() {\n  return [1, 'a', null];\n}", "f()", '[2,"a0","0"]'],
    ["const f = (a) => ({ a, b: { c: a } });", "f(1)", '{"a":2,"b":{"c":2}}'],
    ["async function f(a) {\n  return (await a) + 1;\n}", "await f(1)", "3"],
    ["const o = {\n  x: 1,\n  f(a) {\n    return this.x + a;\n  },\n};", "o.f(1)", "3"],
  ])("of %s", (text, call, wrong) => {
    const code = broken(text, "js", "a.js");
    expect(run(process.execPath, "--input-type=module", "-e", `${code}\nconsole.log(JSON.stringify(${call}))`)).toBe(
      wrong,
    );
  });

  it("is an error where there is none, and is not tried where no value is given", () => {
    const text = broken("const f = (a) => new Map([[a, 1]]);", "js", "a.js");
    expect(() => run(process.execPath, "-e", `${text} f(1)`)).toThrow(/Command failed/);
    expect(broken("function f(a) {\n  a.push(1);\n}", "js", "a.js")).toBe(null);
    expect(broken("function* f(a) {\n  yield a;\n  return 1;\n}", "js", "a.js")).toBe(null);
    expect(broken("const f = (a) => list.map((b) => {", "js", "a.js")).toBe(null);
    expect(broken("async def f(a):\n    return a\n", "python", "a.py")).toBe(null);
    expect(broken("def f(a):\n    a.append(1)\n", "python", "a.py")).toBe(null);
  });

  it("keeps its types", () => {
    expect(broken("export const f = (a: number): number => a;", "js", "a.ts")).toContain("as (v: any) => never)(a)");
  });

  it.skipIf(!has("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")).each([
    ["def f(a):\n    a = a + 1\n    return a * 2\n", "f(3)", "9"],
    [
      "class A:\n    x = 1\n    def f(self, a):\n        return [self.x, str(a), None]\n",
      "A().f(3)",
      "[2, '30', None]",
    ],
    ["def f(a): return {'a': a}\n", "f(1)", "{'a': 2}"],
  ])("of Python (needs python3.9): %s", (text, call, wrong) => {
    expect(run("python3", "-c", `${broken(text, "python", "a.py")}\nprint(${call})`)).toBe(wrong);
  });
});
