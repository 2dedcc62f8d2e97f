import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { createCommandRunner } from "../../../platform/sandbox/index.ts";
import { lostReport } from "../baseline.ts";
import { runCheck } from "../run/run-check.ts";

const runner = createCommandRunner({
  environment: { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
});
const has = (program: string, ...words: string[]): boolean => {
  try {
    execFileSync(program, words, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** A repository with these files, and its test check run on each of several trees. */
function project(files: Readonly<Record<string, string>>, argv: readonly [string, ...string[]]) {
  const dir = tempFolder("report-");
  const git = gitIn(dir);
  git("init", "-q");
  const check = async (more: Readonly<Record<string, string>> = {}) => {
    for (const [path, text] of Object.entries({ ...files, ...more })) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    git("add", "-A");
    git("commit", "-qm", "x", "--allow-empty");
    return runCheck({
      repository: requireRepository(dir),
      runner,
      scratchRoot: join(dir, ".git/scratch"),
      spec: { id: "x:y", kind: "test", argv: [...argv], cwd: "", source: "x", timeoutMs: 60_000 },
      tree: git("rev-parse", "HEAD^{tree}"),
    });
  };
  return { dir, check };
}

const add = "export const add = (a, b) => a + b;\n";
const nodeProject = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --require ./setup.cjs --test" } }),
  "setup.cjs": "",
  "add.js": add,
  "a.test.js":
    "import test from 'node:test'; import assert from 'node:assert'; import { add } from './add.js';\n" +
    "test('adds', () => assert.equal(add(1, 2), 3));\n" +
    "test('sees no reporter', () => assert.equal(process.env.NODE_OPTIONS, undefined));\n",
};

describe("runners report over a channel of ours [B-7]", () => {
  it("[B-7] node: printed words count for nothing, and a runner that is ended early or speaks twice is found", async () => {
    const { check } = project(nodeProject, ["npm", "run", "test"]);
    const base = await check();
    expect(base, Buffer.from(base.command.stdout).toString()).toMatchObject({
      result: "passed",
      testsRun: 2,
      report: { sessions: 1, failed: 0 },
      tests: { passed: ["a.test.js > adds", "a.test.js > sees no reporter"] },
    });
    // The parent of all test files loads the setup too, and may say what it likes at its end.
    const forced = await check({
      "setup.cjs": "process.on('exit', () => process.reallyExit(0));\n",
      "add.js": add.replace("+", "-"),
    });
    const reported = "its runner reports 1 failed tests, although it ended with code 0";
    expect(forced).toMatchObject({ result: "failed", why: reported });
    const early =
      "const net = require('node:net');\n" +
      "if (!process.env.NODE_TEST_CONTEXT) net.Socket.prototype.end = () => process.exit(0);\n";
    const ended = await check({ "setup.cjs": early });
    expect(ended).toMatchObject({ result: "failed", command: { exitCode: 0 } });
    expect(ended.why).toMatch(/, although it ended with code 0$/);
    const silent = "if (!process.env.NODE_TEST_CONTEXT) process.exit(0);\n";
    const lost = lostReport(base, await check({ "setup.cjs": silent, "add.js": add }));
    expect(lost).toBe("it passes, and 1 of its 1 runners no longer report; on the base commit they do");
  });

  it("[B-7] a program that connects on its own is one runner too many", async () => {
    const { check } = project(nodeProject, ["npm", "run", "test"]);
    const base = await check();
    const forge =
      "import fs from 'node:fs'; import net from 'node:net';\n" +
      "const words = fs.readFileSync(`/proc/${process.ppid}/environ`, 'utf8');\n" +
      "const path = /--test-reporter=(\\S+?)\\/node-test/.exec(words)?.[1];\n" +
      "const record = (o) => JSON.stringify(o) + '\\n';\n" +
      "net.connect(`${path}/socket`).end(record({ runner: 'node' }) + record({ name: 'x', ended: 'passed' }) + record({ planned: null, failed: false }));\n";
    const forged = await check({ "add.js": forge + add });
    expect(forged.report?.sessions).toBe(2);
    expect(lostReport(base, { ...forged, result: "passed" }), Buffer.from(forged.command.stdout).toString()).toBe(
      "it passes, and 2 runners report where 1 did on the base commit",
    );
  });

  it.skipIf(!has("python3", "-m", "pytest", "--version"))(
    "[B-7] pytest: an exit code that is forced to 0 is contradicted (needs pytest)",
    async () => {
      const files = {
        "pytest.ini": "[pytest]\n",
        "add.py": "import atexit, os\natexit.register(os._exit, 0)\ndef add(a, b): return a * b\n",
        "test_add.py":
          "import os\nfrom add import add\n" +
          "def test_add(): assert add(1, 2) == 3\n" +
          "def test_sees_no_reporter(): assert not {'PYTEST_ADDOPTS', 'PYTHONPATH'} & set(os.environ)\n",
      };
      const { check } = project(files, ["python3", "-m", "pytest"]);
      expect(await check()).toMatchObject({
        result: "failed",
        why: "its runner reports 1 failed tests, although it ended with code 0",
        tests: { passed: ["test_add.py::test_sees_no_reporter"], failed: ["test_add.py::test_add"] },
      });
      expect(await check({ "add.py": "def add(a, b): return a + b\n" })).toMatchObject({
        result: "passed",
        testsRun: 2,
      });
    },
  );

  it.skipIf(!has("python3", "-c", "import unittest"))(
    "[B-7] unittest: results that judged code changes for all tests are contradicted (needs python3)",
    async () => {
      const files = {
        "add.py": "def add(a, b): return a + b\n",
        "test_add.py":
          "import os, sys, unittest\nfrom add import add\n" +
          "class T(unittest.TestCase):\n" +
          "    def test_add(self): self.assertEqual(add(1, 2), 3)\n" +
          "    def test_sees_no_reporter(self): self.assertNotIn('PYTHONPATH', os.environ)\n" +
          "    @unittest.skip('later')\n    def test_later(self): pass\n",
      };
      const { check } = project(files, ["python3", "-m", "unittest", "discover"]);
      const good = await check();
      expect(good, Buffer.from(good.command.stderr).toString()).toMatchObject({
        result: "passed",
        testsRun: 2,
        report: { runners: ["unittest"], sessions: 1 },
        tests: { passed: ["test_add.T.test_add", "test_add.T.test_sees_no_reporter"] },
      });
      const silent =
        "import unittest\nfor name in ('addFailure', 'addError'):\n" +
        "    setattr(unittest.TestResult, name, lambda *given: None)\n" +
        "    setattr(unittest.TextTestResult, name, lambda *given: None)\n";
      expect(await check({ "add.py": `${silent}def add(a, b): return a * b\n` })).toMatchObject({
        result: "failed",
        why: "its runner reports 1 failed tests, although it ended with code 0",
      });
      expect(await check({ "add.py": "import nothing_of_this_name\n" })).toMatchObject({ result: "failed" });
    },
  );

  it.skipIf(!has("go", "version"))("[B-7] go: each test is counted by go's own report (needs go)", async () => {
    const { check } = project(
      {
        "go.mod": "module x\n\ngo 1.19\n",
        "add.go": "package x\n\nfunc Add(a, b int) int { return a + b }\n",
        "add_test.go":
          'package x\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("x")\n\t}\n}\n',
      },
      ["go", "test", "./..."],
    );
    const good = await check();
    expect(good, Buffer.from(good.command.stderr).toString()).toMatchObject({
      result: "passed",
      testsRun: 1,
      report: { sessions: 1, tests: { passed: ["x TestAdd"] } },
    });
    expect(Buffer.from(good.command.stdout).toString()).toMatch(/^--- PASS: TestAdd/m);
    const left = 'package x\n\nimport "os"\n\nfunc Add(a, b int) int { os.Exit(0); return 0 }\n';
    expect(await check({ "add.go": left })).toMatchObject({ result: "failed" });
  });

  it("[B-7] vitest: its main process reports, and what workers print does not count", async () => {
    const { check, dir } = project(
      {
        ".gitignore": "node_modules\n",
        "package.json": JSON.stringify({ type: "module", scripts: { test: "vitest run" } }),
        "a.test.js":
          "import { expect, it } from 'vitest';\n" +
          "it('adds', () => { console.log(' ✓ forged 1ms'); expect(1 + 1).toBe(2); });\n",
      },
      ["npm", "run", "test"],
    );
    symlinkSync(join(import.meta.dirname, "../../../../node_modules"), join(dir, "node_modules"));
    const ran = await check();
    expect(ran, Buffer.from(ran.command.stdout).toString()).toMatchObject({
      result: "passed",
      testsRun: 1,
      report: { runners: ["vitest"], sessions: 1 },
      tests: { passed: ["a.test.js > adds"] },
    });
  });

  // Stand-ins that follow the documented interfaces of reporters: the real programs are not packages of ours.
  const standIns = {
    jest:
      "const path = process.argv.find((word) => word.startsWith('--reporters=/')).slice(12);\n" +
      "const Reporter = require(path);\nconst failed = require(process.cwd() + '/add.js')(1, 2) === 3 ? 0 : 1;\n" +
      "const one = new Reporter({}, {});\n" +
      "const status = failed ? 'failed' : 'passed';\n" +
      "const results = [{ ancestorTitles: ['add'], title: 'adds', status }, { ancestorTitles: [], title: 'later', status: 'pending' }];\n" +
      "one.onTestResult({ path: '/x/a.test.js' }, { testResults: results }, {});\n" +
      "one.onRunComplete(new Set(), { numTotalTests: 2, numFailedTests: failed, numRuntimeErrorTestSuites: 0 }).then(() => {\n" +
      "  console.log(`Tests: 1 skipped, ${failed} failed, ${1 - failed} passed, 2 total`);\n});\n",
    mocha:
      "const { EventEmitter } = require('node:events');\n" +
      "const path = process.argv.find((word) => word.startsWith('--reporter=')).slice(11);\n" +
      "const Reporter = require(path);\nconst failed = require(process.cwd() + '/add.js')(1, 2) === 3 ? 0 : 1;\n" +
      "const runner = Object.assign(new EventEmitter(), { total: 2, failures: failed });\n" +
      "const one = new Reporter(runner, {});\n" +
      "const test = (...titles) => ({ file: '/x/a.test.js', titlePath: () => titles });\n" +
      "runner.emit(failed ? 'fail' : 'pass', test('add', 'adds'), new Error('x'));\nrunner.emit('pending', test('later'));\n" +
      "runner.emit('end');\nconsole.log(`  ${1 - failed} passing (1ms)\\n  1 pending`);\none.done(failed, () => {});\n",
  };

  it.each(["jest", "mocha"] as const)("[B-7] %s: a failure that it reports contradicts code 0", async (name) => {
    const { check, dir } = project(
      {
        ".gitignore": "node_modules\n",
        "package.json": JSON.stringify({ scripts: { test: name } }),
        "add.js": "module.exports = (a, b) => a + b;\n",
      },
      ["npm", "run", "test"],
    );
    const own = join(dir, "node_modules", name);
    mkdirSync(join(own, "bin"), { recursive: true });
    mkdirSync(join(dir, "node_modules/.bin"));
    writeFileSync(join(own, "index.js"), "exports.reporters = { Spec: class {} };\n");
    writeFileSync(join(own, "bin/run.js"), `#!/usr/bin/env node\n${standIns[name]}`, { mode: 0o755 });
    symlinkSync(`../${name}/bin/run.js`, join(dir, "node_modules/.bin", name));
    const good = await check();
    expect(good, Buffer.from(good.command.stderr).toString()).toMatchObject({
      result: "passed",
      testsRun: 1,
      report: { runners: [name], sessions: 1, tests: { passed: ["a.test.js > add > adds"] } },
    });
    expect(await check({ "add.js": "module.exports = (a, b) => a * b;\n" })).toMatchObject({
      result: "failed",
      why: "its runner reports 1 failed tests, although it ended with code 0",
    });
  });
});
