// The real `thehood` program, run as a user would, with a configuration folder of its own.
import { spawn, spawnSync } from "node:child_process";
import { delimiter, join, resolve } from "node:path";
import process from "node:process";
import { afterwards, tempFolder } from "../support/temp-folder.ts";
import { makeRepository, type TestRepository } from "../support/repository.ts";

export const bin = resolve(import.meta.dirname, "../../bin/thehood.js");
/** Runs the scripts of a fixture's package.json without the start of npm. `realNpm` is for the tests that are about npm. */
const quickNpm = resolve(import.meta.dirname, "../support/quick-npm");
export const realNpm = { env: { PATH: process.env["PATH"] } };

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** stdout as the one JSON document it must be. */
  json<T = Record<string, unknown>>(): T;
}

interface RunOptions {
  input?: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

interface ShownGate {
  readonly id: string;
  readonly subject: { readonly sha256: string };
}

export interface Desk {
  readonly repo: TestRepository;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  thehood(args: readonly string[], options?: RunOptions): Ran;
  spawn(args: readonly string[]): ReturnType<typeof spawn>;
}

export const sample = {
  "package.json": `${JSON.stringify({ name: "sample", type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "test/add.test.js":
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
  "README.md": "# Sample\n",
};

/** Judges the bug of the sample by what the code computes. */
export const adds = [
  process.execPath,
  "-e",
  "import('./src/add.js').then(({ add }) => process.exit(add(1, 2) === 3 ? 0 : 1))",
] as const;
/** The same as a line. */
export const addsLine = `${adds[0]} -e "${adds[2]}"`;

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
  const env = {
    PATH: [quickNpm, process.env["PATH"]].join(delimiter),
    HOME: home,
    THEHOOD_HOME: join(home, "config"),
    NO_COLOR: "1",
  };
  afterwards(() => repo.remove());
  const thehood: Desk["thehood"] = (given, options = {}) => {
    const ran = spawnSync(process.execPath, [bin, ...shown(given, options)], {
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
  };
  /** As a script does it: what is approved was shown before, and its hash is named. */
  const shown = (args: readonly string[], options: RunOptions): readonly string[] => {
    if (args[0] !== "approve" || args.includes("--shown") || args.includes("--help")) return args;
    const run = args[1] === undefined || args[1].startsWith("-") ? [] : [args[1]];
    const at = args.indexOf("--gate");
    const seen = thehood(["show", ...run, "--json"], options);
    const gates = seen.code === 0 ? seen.json<{ gates?: ShownGate[] }>().gates : undefined;
    const gate = at < 0 ? gates?.[0] : gates?.find(({ id }) => id === args[at + 1]);
    return gate ? [...args, "--shown", gate.subject.sha256] : args;
  };
  return {
    repo,
    home,
    env,
    thehood,
    spawn: (args) => spawn(process.execPath, [bin, ...args], { cwd: repo.dir, env }),
  };
}

export const stub = (script: unknown): string[] => ["--stub-script", JSON.stringify(script)];
