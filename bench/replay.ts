// The cost of a replay on sample projects, beside the check itself: for checks of about a second at most one and a half times as
// long as the check, and a second for its processes.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import type { CheckSpec } from "../src/core/contract/index.ts";
import { requireRepository } from "../src/platform/git/index.ts";
import { createCommandRunner } from "../src/platform/sandbox/index.ts";
import { runCheck } from "../src/workspace/checks/index.ts";
import { replayCalls } from "../src/workspace/replay/index.ts";
import { judged } from "./lib/limit.ts";
import { tempFolder } from "./lib/temp-folder.ts";

type Files = Readonly<Record<string, string>>;
interface Sample {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly files: Files;
  readonly changed: Files;
  readonly installed?: true;
}

const script = (name: string): string => `${JSON.stringify({ type: "module", scripts: { test: name } })}\n`;
const javascript = {
  ".gitignore": "node_modules\n",
  "add.js": "export const add = (a, b) => a + b;\n",
};
const changedScript = { "add.js": "export const add = (a, b) => b + a;\nexport const more = (a) => a > 1;\n" };
const python = { "add.py": "def add(a, b):\n    return a + b\n" };
const changedPython = { "add.py": "def add(a, b):\n    return b + a\n" };

const samples: readonly Sample[] = [
  {
    name: "node:test",
    argv: ["node", "--test"],
    files: {
      ...javascript,
      "package.json": script("node --test"),
      "add.test.js":
        "import test from 'node:test'; import assert from 'node:assert'; import { add } from './add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\ntest('waits', (t, done) => setTimeout(done, 700));\n",
    },
    changed: changedScript,
  },
  {
    name: "vitest",
    argv: ["npm", "run", "test"],
    installed: true,
    files: {
      ...javascript,
      "package.json": script("vitest run"),
      "add.test.js":
        "import { expect, it } from 'vitest'; import { add } from './add.js';\nit('adds', () => expect(add(1, 2)).toBe(3));\n",
    },
    changed: changedScript,
  },
  {
    name: "unittest",
    argv: ["python3", "-m", "unittest", "discover"],
    files: {
      ...python,
      "test_add.py":
        "import time, unittest\nfrom add import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        time.sleep(0.7)\n        self.assertEqual(add(1, 2), 3)\n",
    },
    changed: changedPython,
  },
  {
    name: "pytest",
    argv: ["python3", "-m", "pytest"],
    files: {
      ...python,
      "test_add.py":
        "import time\nfrom add import add\n\ndef test_add():\n    time.sleep(0.5)\n    assert add(1, 2) == 3\n",
    },
    changed: changedPython,
  },
];

const runner = createCommandRunner({
  environment: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
});

async function measure({ name, argv, files, changed, installed }: Sample): Promise<void> {
  const dir = tempFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], {
      cwd: dir,
      encoding: "utf8",
    }).trim();
  const commit = (all: Files) => {
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
  if (installed) symlinkSync(join(import.meta.dirname, "../node_modules"), join(dir, "node_modules"));
  const spec: CheckSpec = { id: name, kind: "test", argv: [...argv], cwd: "", source: "config", timeoutMs: 60_000 };
  const place = { repository: requireRepository(dir), runner, scratchRoot: join(tempFolder(), "scratch"), spec, tree };
  const began = performance.now();
  const ran = await runCheck(place);
  const tookMs = performance.now() - began;
  if (ran.result !== "passed") {
    console.log(`${name}: ${ran.result} (${ran.why}), not measured`);
    return;
  }
  const found = await replayCalls({ ...place, baseTree, tookMs, tell: () => undefined });
  const spentMs = found?.spentMs ?? 0;
  const holds = spentMs <= 1.5 * tookMs + 1_000 && found?.same === 1 && found.stop === undefined;
  console.log(
    `${name}: passed in ${Math.round(tookMs)} ms; replay ${spentMs} ms (${(spentMs / tookMs).toFixed(1)} ×), ${found?.same} of ${found?.recorded} calls the same, ${found?.neighbours} neighbours${judged("1.5 × and 1 s, all the same", holds)}`,
  );
}

for (const sample of samples) await measure(sample);
