// What a whole run costs on sample projects, as a multiple of what the project's own check takes: at most eight times for checks
// of about a second, at most four times for one of a minute (`npm run bench -- overhead --slow` measures that one alone).
import { spawnSync } from "node:child_process";
import process from "node:process";
import { bin, env } from "./lib/desk.ts";
import { judged } from "./lib/limit.ts";
import { type Sample, sampleRepository, samplesHere } from "./lib/samples.ts";

const mostOfShort = 8;
const mostOfSlow = 4;

/** A suite of a minute in three files, of which one reads the change. */
const slow: Sample = {
  name: "node:test, a minute",
  argv: ["npm", "run", "test"],
  files: {
    "package.json": `${JSON.stringify({ type: "module", scripts: { test: "node --test --test-concurrency=1" } })}\n`,
    "add.js": "export const add = (a, b) => a + b;\n",
    "add.test.js":
      "import test from 'node:test'; import assert from 'node:assert'; import { add } from './add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
    ...Object.fromEntries(
      ["one", "two"].map((name) => [
        `${name}.test.js`,
        "import test from 'node:test';\ntest('waits', (t, done) => setTimeout(done, 30_000));\n",
      ]),
    ),
  },
  changed: { "add.js": "export const add = (a, b) => b + a;\n" },
};

/** The tools of the projects are found as in the user's own terminal. */
const environment = { ...process.env, ...env, HOME: process.env["HOME"] };

const wallOf = (act: () => void): number => {
  const since = performance.now();
  act();
  return performance.now() - since;
};

function measure(sample: Sample, most: number): void {
  const { dir } = sampleRepository(sample);
  const [program, ...words] = sample.argv;
  const check = () => spawnSync(program, words, { cwd: dir, env: environment, stdio: "ignore" }).status;
  // Once before, so that caches are filled.
  if (most === mostOfShort && check() !== 0) return console.log(`${sample.name}: its check fails here, not measured`);
  const own = wallOf(check);
  const edits = Object.entries(sample.changed).map(([path, text]) => ({ op: "write", path, text }));
  const script = JSON.stringify({ roles: { implementer: [{ edits }] } });
  const run = ["run", "turn the sum round", "--team", "stub", "--approvals", "autopilot", "--json"];
  let text = "";
  const whole = wallOf(() => {
    const options = { cwd: dir, env: environment, encoding: "utf8" } as const;
    text = spawnSync(process.execPath, [bin, ...run, "--stub-script", script], options).stdout;
  });
  const { state, stopReason } = JSON.parse(text) as { state: string; stopReason: string | null };
  const ratio = whole / own;
  console.log(
    `${sample.name}: the check alone ${Math.round(own)} ms; a whole run ${Math.round(whole)} ms (${ratio.toFixed(1)} ×), ${stopReason ?? state}${judged(`${most} ×, success`, stopReason === "success" && ratio <= most)}`,
  );
}

if (process.argv.includes("--slow")) measure(slow, mostOfSlow);
else for (const sample of samplesHere()) measure(sample, mostOfShort);
