// Small projects in six test runners, each with a check of about a second, an honest change and what the check itself costs.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import type { CheckSpec } from "../../src/core/contract/index.ts";
import { requireRepository } from "../../src/platform/git/index.ts";
import { createCommandRunner } from "../../src/platform/sandbox/index.ts";
import { runCheck } from "../../src/workspace/checks/index.ts";
import { tempFolder } from "./temp-folder.ts";

type Files = Readonly<Record<string, string>>;
export interface Sample {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly files: Files;
  readonly changed: Files;
  readonly installed?: true;
  /** A program that the machine may lack. */
  readonly needs?: readonly [string, ...string[]];
}

const script = (name: string): string => `${JSON.stringify({ type: "module", scripts: { test: name } })}\n`;
const javascript = {
  ".gitignore": "node_modules\n",
  "add.js": "export const add = (a, b) => a + b;\n",
};
const changedScript = { "add.js": "export const add = (a, b) => b + a;\n" };
const python = { "add.py": "def add(a, b):\n    return a + b\n" };
const changedPython = { "add.py": "def add(a, b):\n    return b + a\n" };

const samples: readonly Sample[] = [
  {
    name: "node:test",
    argv: ["npm", "run", "test"],
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
    needs: ["python3", "-m", "pytest", "--version"],
    files: {
      ...python,
      "test_add.py":
        "import time\nfrom add import add\n\ndef test_add():\n    time.sleep(0.5)\n    assert add(1, 2) == 3\n",
    },
    changed: changedPython,
  },
  {
    name: "go",
    argv: ["go", "test", "./..."],
    needs: ["go", "version"],
    files: {
      "go.mod": "module sample\n\ngo 1.18\n",
      "add.go": "package sample\n\nfunc Add(a, b int) int { return a + b }\n",
      "add_test.go":
        'package sample\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal(Add(1, 2))\n\t}\n}\n',
    },
    changed: { "add.go": "package sample\n\nfunc Add(a, b int) int { return b + a }\n" },
  },
  {
    name: "cargo",
    argv: ["cargo", "test"],
    needs: ["cargo", "--version"],
    files: {
      ".gitignore": "target\n",
      "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
      "Cargo.lock": 'version = 3\n\n[[package]]\nname = "sample"\nversion = "0.1.0"\n',
      "src/lib.rs":
        "pub fn add(a: i64, b: i64) -> i64 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n",
    },
    changed: {
      "src/lib.rs":
        "pub fn add(a: i64, b: i64) -> i64 {\n    b + a\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n",
    },
  },
];

const runner = createCommandRunner({
  environment: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
});

/** Processor time in ms of this process and of those that it has waited for, such as git. What runs in a sandbox is not in it. */
function processorMs(): number {
  if (process.platform !== "linux") return process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
}

export interface Cost {
  readonly wallMs: number;
  /** Outside of the sandbox. */
  readonly cpuMs: number;
}

export async function costOf<T>(act: () => Promise<T>): Promise<Cost & { readonly result: T }> {
  const [wall, cpu] = [performance.now(), processorMs()];
  const result = await act();
  return { result, wallMs: performance.now() - wall, cpuMs: processorMs() - cpu };
}

export const times = (cost: Cost, own: Cost): string =>
  `${Math.round(cost.wallMs)} ms (${(cost.wallMs / own.wallMs).toFixed(1)} ×), outside of the sandbox ${Math.round(cost.cpuMs)} ms of processor time`;

/** A repository with the base commit of a sample, and what commits further files and names the tree. */
export function sampleRepository({ files, installed }: Sample) {
  const dir = tempFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: dir, encoding: "utf8" }).trim();
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
  const baseTree = commit(files);
  if (installed) symlinkSync(join(import.meta.dirname, "../../node_modules"), join(dir, "node_modules"));
  return { dir, commit, baseTree };
}

/** A repository with the base commit and the work of a sample, and its check, run once so that caches are filled. */
async function openSample(sample: Sample) {
  const { name, argv, changed } = sample;
  const { dir, commit, baseTree } = sampleRepository(sample);
  const tree = commit(changed);
  const spec: CheckSpec = { id: name, kind: "test", argv: [...argv], cwd: "", source: "config", timeoutMs: 60_000 };
  const place = { repository: requireRepository(dir), runner, scratchRoot: join(tempFolder(), "scratch"), spec, tree };
  await runCheck(place);
  const own = await costOf(() => runCheck(place));
  return { name, place, baseTree, own, ran: own.result };
}

export type OpenSample = Awaited<ReturnType<typeof openSample>>;

/** Those whose programs this machine has; the others are named. */
export function* samplesHere(): Generator<Sample> {
  for (const sample of samples) {
    const [program, ...words] = sample.needs ?? ["true"];
    if (spawnSync(program, words, { stdio: "ignore" }).status === 0) yield sample;
    else console.log(`${sample.name}: not measured, this machine lacks ${program}`);
  }
}

/** Each sample whose programs this machine has, in turn. */
export async function eachSample(measure: (sample: OpenSample) => Promise<void>): Promise<void> {
  for (const sample of samplesHere()) {
    const open = await openSample(sample);
    if (open.ran.result === "passed") await measure(open);
    else console.log(`${sample.name}: ${open.ran.result} (${open.ran.why}), not measured`);
  }
}
