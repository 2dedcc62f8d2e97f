import { describe, expect, it } from "vitest";
import type { CheckSpec } from "../../core/contract/index.ts";
import { narrowedTo } from "./narrow.ts";

const spec = (argv: [string, ...string[]], cwd = ""): CheckSpec => ({
  id: "x:test",
  kind: "test",
  argv,
  cwd,
  source: "config",
  timeoutMs: 1_000,
});
const argvOf = (argv: [string, ...string[]], script: string, tests: readonly string[], cwd = "") =>
  narrowedTo(spec(argv, cwd), script, tests)?.argv.join(" ");

describe("[B-6] a slow check limited to the tests that read the change", () => {
  it.each([
    ["npm run test", "npm run test node --test", "npm run test -- test/a.test.js"],
    ["npm run test", "npm run test vitest run --coverage", "npm run test -- test/a.test.js"],
    ["pnpm run test", "pnpm run test jest", "pnpm run test test/a.test.js"],
    ["node --test", "node --test", "node --test test/a.test.js"],
    ["python3 -m pytest -q", "", "python3 -m pytest -q test/a.test.js"],
  ])("%s (%s)", (line, script, made) => {
    expect(argvOf(line.split(" ") as [string, ...string[]], script, ["test/a.test.js"])).toBe(made);
  });

  it("of Go by folder, and below the folder of the check only", () => {
    expect(argvOf(["go", "test", "./..."], "", ["calc/a_test.go", "calc/b_test.go"])).toBe("go test ./calc");
    expect(argvOf(["node", "--test"], "", ["web/a.test.js", "api/b.test.js"], "web")).toBe("node --test a.test.js");
  });

  it.each([
    ["a command that names files", ["npm", "run", "test"], "npm run test node --test test/*.js"],
    ["more than one command", ["npm", "run", "test"], "npm run test node build.js && vitest run"],
    ["a runner that is not known", ["make", "test"], "make test"],
    ["an option whose value may be a path", ["npm", "run", "test"], "npm run test jest --config other.js"],
  ])("not: %s", (_, argv, script) => {
    expect(argvOf(argv as [string, ...string[]], script, ["test/a.test.js"])).toBeUndefined();
  });

  it("not with names that a shell would read", () => {
    expect(argvOf(["node", "--test"], "", ["test/$(x).test.js"])).toBeUndefined();
    expect(argvOf(["node", "--test"], "", [])).toBeUndefined();
  });
});
