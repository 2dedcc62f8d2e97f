// The texts that run inside other programs: recorders and players, put together from the files that are shipped.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exportedExpression, installedFile, lazy } from "../../platform/system/index.ts";
import { nextSitecustomize, nodeClock, pythonClock } from "../checks/index.ts";
import type { RecorderTexts } from "./instrument.ts";

const folder = (): string => installedFile("replay", "src/workspace/replay/injected");
const read = (name: string): string => readFileSync(join(folder(), name), "utf8");
const expression = (name: string): string => exportedExpression(join(folder(), name));

export const javascript = lazy(
  (): RecorderTexts & { readonly play: string; readonly playTraced: string; readonly load: string } => ({
    values: expression("values.cjs"),
    record: expression("record.cjs"),
    recordClass: expression("record-class.cjs"),
    recordInput: expression("record-input.cjs"),
    recordResult: expression("record-result.cjs"),
    play: expression("play.cjs"),
    playTraced: expression("play-traced.cjs"),
    load: read("load-source.mjs"),
  }),
);

const python = lazy(() => ({
  values: `${read("values.py")}\n${read("traced.py")}`,
  record: `${read("record_class.py")}\n${read("record.py")}`,
  play: read("play.py"),
}));

/** JSON is almost Python: a text literal that Python reads back. */
const literal = (plan: unknown): string => `json.loads(${JSON.stringify(JSON.stringify(plan))})`;

/** A line to the pipe by a module that is part of Python itself, so that no file of the project can stand in for it. */
const pythonMark = (pipe: string, mark: "began" | "ready"): string =>
  `import posix\n_door = posix.open(${JSON.stringify(pipe)}, posix.O_WRONLY)\nposix.write(_door, b'{"recorder":"${mark}"}\\n')\nposix.close(_door)\n`;

export const pythonRecorder = (plan: { readonly pipe: string } & Readonly<Record<string, unknown>>): string =>
  [
    pythonMark(plan.pipe, "began"),
    `${python().values}\n_plan = ${literal(plan)}\n${python().record}`,
    pythonMark(plan.pipe, "ready"),
    nextSitecustomize(),
  ].join("");

export const pythonPlayer = (plan: unknown, aheadMs = 0): string =>
  [python().values, python().play, aheadMs === 0 ? "" : pythonClock(aheadMs), `play(${literal(plan)})`].join("\n");

export const pythonTest = (plan: unknown, name: string): string =>
  `import unittest\n${python().values}\n${python().play}\n\nclass ${name}(unittest.TestCase):\n    def test_calls(self):\n        play(${literal(plan)})\n`;

interface NodePlay {
  readonly plan: unknown;
  readonly top: string;
  /** TypeScript and the like need a loader. */
  readonly loader: string | null;
  readonly aheadMs?: number;
  readonly terminal?: boolean;
}

/** A terminal as far as JavaScript sees it. */
const asTerminal = `
import tty from "node:tty";
import { syncBuiltinESMExports } from "node:module";
tty.isatty = () => true;
syncBuiltinESMExports();
for (const name of ["stdin", "stdout", "stderr"]) Object.defineProperty(process[name], "isTTY", { value: true, configurable: true });
`;

/** Timers that a module sets while it loads are due at once: a later time would bring them. */
const dueAtOnce = `
const later = globalThis.setTimeout;
let loading = true;
globalThis.setTimeout = (act, ms, ...given) => later(act, loading ? 0 : ms, ...given);
`;

export function nodePlayer({ plan, top, loader, aheadMs = 0, terminal = false }: NodePlay): string {
  return [
    `import * as fs from "node:fs";`,
    `import { register } from "node:module";`,
    `import { pathToFileURL } from "node:url";`,
    terminal ? asTerminal : "",
    aheadMs === 0 ? "" : `{${nodeClock(aheadMs)}}${dueAtOnce}`,
    loader === null ? "" : `register(pathToFileURL(${JSON.stringify(loader)}));`,
    `const values = ${javascript().values};`,
    `const load = (file) => import(pathToFileURL(${JSON.stringify(`${top}/`)} + file));`,
    aheadMs === 0 ? "" : `const settled = (file) => load(file).finally(() => { loading = false; });`,
    `await (${javascript().play})(fs, ${JSON.stringify(plan)}, ${aheadMs === 0 ? "load" : "settled"}, values, ${javascript().playTraced});`,
    "process.exit(0);\n",
  ].join("\n");
}

const testWord: Readonly<Record<string, string>> = {
  node: `import { test } from "node:test";`,
  vitest: `import { test } from "vitest";`,
  mocha: `const test = globalThis.it;`,
};

/** The same calls as one more test of the project. Null for a runner that is not known. */
export function nodeTest(runner: string, plan: unknown, top: string, isModule: boolean): string | null {
  const values = `const values = ${javascript().values};`;
  if (runner === "jest" || !isModule) {
    const word = runner === "node" ? `const { test } = require("node:test");` : runner === "vitest" ? "" : "";
    const load = `async (file) => { const found = require(${JSON.stringify(`${top}/`)} + file); return found && found.__esModule ? found : { ...found, default: found }; }`;
    if (runner === "vitest") return null;
    const it = runner === "mocha" ? "const test = globalThis.it;" : word;
    return `${it}\nconst fs = require("node:fs");\n${values}\ntest("calls", async () => { await (${javascript().play})(fs, ${JSON.stringify(plan)}, ${load}, values, ${javascript().playTraced}); });\n`;
  }
  const word = testWord[runner];
  if (word === undefined) return null;
  const load = `(file) => import(/* @vite-ignore */ ${JSON.stringify(`${top}/`)} + file)`;
  return `${word}\nimport * as fs from "node:fs";\n${values}\ntest("calls", async () => { await (${javascript().play})(fs, ${JSON.stringify(plan)}, ${load}, values, ${javascript().playTraced}); });\n`;
}
