// The texts that run inside other programs: recorders and players, put together from the files that are shipped.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installedFile, lazy } from "../../platform/system/index.ts";
import { nodeClock, pythonClock } from "../checks/index.ts";
import type { RecorderTexts } from "./instrument.ts";

const folder = (): string => installedFile("replay", "src/workspace/replay/injected");
const read = (name: string): string => readFileSync(join(folder(), name), "utf8");
/** The value of a CommonJS file that exports one expression. */
const expression = (name: string): string =>
  read(name)
    .replace(/^[^]*?\nmodule\.exports = /, "")
    .replace(/;\s*$/, "");

export const javascript = lazy((): RecorderTexts & { readonly play: string; readonly load: string } => ({
  values: expression("values.cjs"),
  record: expression("record.cjs"),
  play: expression("play.cjs"),
  load: read("load-source.mjs"),
}));

const python = lazy(() => ({ values: read("values.py"), record: read("record.py"), play: read("play.py") }));

/** JSON is almost Python: a text literal that Python reads back. */
const literal = (plan: unknown): string => `json.loads(${JSON.stringify(JSON.stringify(plan))})`;

export const pythonRecorder = (plan: unknown): string =>
  `${python().values}\n_plan = ${literal(plan)}\n${python().record}`;

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
    `await (${javascript().play})(fs, ${JSON.stringify(plan)}, ${aheadMs === 0 ? "load" : "settled"}, values);`,
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
    return `${it}\nconst fs = require("node:fs");\n${values}\ntest("calls", async () => { await (${javascript().play})(fs, ${JSON.stringify(plan)}, ${load}, values); });\n`;
  }
  const word = testWord[runner];
  if (word === undefined) return null;
  const load = `(file) => import(/* @vite-ignore */ ${JSON.stringify(`${top}/`)} + file)`;
  return `${word}\nimport * as fs from "node:fs";\n${values}\ntest("calls", async () => { await (${javascript().play})(fs, ${JSON.stringify(plan)}, ${load}, values); });\n`;
}
