// The cost of the sabotage control on sample projects, beside the check itself: at most a minute, and at most five times
// as long as the check takes.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { runCheck, sabotageControl } from "../src/workspace/checks/index.ts";
import type { CheckSpec } from "../src/core/contract/index.ts";
import { requireRepository } from "../src/platform/git/index.ts";
import { createCommandRunner } from "../src/platform/sandbox/index.ts";
import { judged } from "./lib/limit.ts";
import { tempFolder } from "./lib/temp-folder.ts";

interface Sample {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly files: Readonly<Record<string, string>>;
  readonly changed: Readonly<Record<string, string>>;
}

const samples: readonly Sample[] = [
  {
    name: "node:test",
    argv: ["node", "--test"],
    files: {
      "package.json": '{"type":"module"}',
      "add.js": "export const add = (a, b) => a + b;\n",
      "add.test.js":
        "import test from 'node:test'; import assert from 'node:assert'; import { add } from './add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\ntest('waits', (t, done) => setTimeout(done, 700));\n",
    },
    changed: { "add.js": "export const add = (a, b) => b + a;\nexport const more = (a) => a > 1;\n" },
  },
  {
    name: "unittest",
    argv: ["python3", "-m", "unittest", "discover"],
    files: {
      "add.py": "def add(a, b):\n    return a + b\n",
      "test_add.py":
        "import time, unittest\nfrom add import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        time.sleep(0.7)\n        self.assertEqual(add(1, 2), 3)\n",
    },
    changed: { "add.py": "def add(a, b):\n    return b + a\n" },
  },
];

const runner = createCommandRunner({ environment: process.env });

async function measure({ name, argv, files, changed }: Sample): Promise<void> {
  const dir = tempFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], {
      cwd: dir,
      encoding: "utf8",
    }).trim();
  const commit = (all: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    git("add", "-A");
    git("commit", "-qm", "x");
    return git("rev-parse", "HEAD^{tree}");
  };
  git("init", "-q");
  const [baseTree, tree] = [commit(files), commit(changed)];
  const spec: CheckSpec = {
    id: name,
    kind: "test",
    argv: [...argv],
    cwd: "",
    source: "config",
    timeoutMs: 60_000,
  };
  const place = {
    repository: requireRepository(dir),
    runner,
    scratchRoot: join(tempFolder(), "scratch"),
    spec,
  };
  const began = performance.now();
  const ran = await runCheck({ ...place, tree });
  const durationMs = performance.now() - began;
  const control = await sabotageControl({
    ...place,
    tree,
    baseTree,
    asks: "both",
    hasRunner: true,
    ran: { durationMs, testsRun: ran.testsRun },
    onBase: () => runCheck({ ...place, tree: baseTree }),
    tell: () => undefined,
  });
  const holds = control.spentMs <= control.budgetMs && control.weakened === null;
  console.log(
    `${name}: ${ran.result} in ${Math.round(durationMs)} ms; control ${control.spentMs} ms, ${control.noticed} of ${control.ran} sabotages noticed, ${control.planned} planned${judged(`${Math.round(control.budgetMs)} ms`, holds)}`,
  );
}

for (const sample of samples) await measure(sample);
