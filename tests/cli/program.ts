// The real `thehood` program, run as a user would, with a configuration folder of its own.
import { spawn, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import process from "node:process";
import { onTestFinished } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { makeRepository, type TestRepository } from "../support/repository.ts";

export const bin = resolve(import.meta.dirname, "../../bin/thehood.js");

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** stdout as the one JSON document it must be. */
  json<T = Record<string, unknown>>(): T;
}

export interface Desk {
  readonly repo: TestRepository;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  thehood(args: readonly string[], options?: { input?: string; cwd?: string; env?: NodeJS.ProcessEnv }): Ran;
  spawn(args: readonly string[]): ReturnType<typeof spawn>;
}

export const sample = {
  "package.json": `${JSON.stringify({ name: "sample", type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "test/add.test.js":
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
  "README.md": "# Sample\n",
};

/** Fixes the bug of the sample and lets every reviewer agree. */
export const fixing = {
  roles: {
    implementer: [
      {
        edits: [{ op: "replace", path: "src/add.js", find: "a - b", with: "a + b" }],
        payload: { changedFiles: ["src/add.js"] },
      },
    ],
  },
};

export function openTestDesk(files: Readonly<Record<string, string>> = sample): Desk {
  const repo = makeRepository(files);
  const home = tempFolder("thehood-home-");
  const env = { PATH: process.env["PATH"], HOME: home, THEHOOD_HOME: join(home, "config"), NO_COLOR: "1" };
  onTestFinished(() => repo.remove());
  return {
    repo,
    home,
    env,
    spawn: (args) => spawn(process.execPath, [bin, ...args], { cwd: repo.dir, env }),
    thehood(args, options = {}) {
      const ran = spawnSync(process.execPath, [bin, ...args], {
        cwd: options.cwd ?? repo.dir,
        env: { ...env, ...options.env },
        input: options.input ?? "",
        encoding: "utf8",
        maxBuffer: 64 * 1_048_576,
      });
      if (ran.error) throw ran.error;
      return {
        code: ran.status,
        out: ran.stdout,
        err: ran.stderr,
        json: <T>() => JSON.parse(ran.stdout) as T,
      };
    },
  };
}

export const stub = (script: unknown): string[] => ["--stub-script", JSON.stringify(script)];
