// Runs a set of tests, prints which were skipped and how many there were, and records the results of a whole set.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { filesToTryAgain, unsteadyTests, withSecondTry } from "./again.ts";
import { changedFiles, keepGreen } from "./changed.ts";
import { looseErrorsFile } from "./loose-errors.ts";
import { keepMinutes, listLines, type LongSet, readMinutes } from "./list.ts";
import { readState } from "./state.ts";
import { readRecords, recordFile, type Results } from "./record.ts";
import { filesLeftOut, wingsLeftOut } from "./sets.ts";

const root = join(import.meta.dirname, "../..");
const args = process.argv.slice(2);
const at = args.indexOf("--set");
const asked = at < 0 ? "default" : (args.splice(at, 2)[1] ?? "");
/** With `--rest`, the whole set without the files that `npm test` already ran on this very state. */
const restAt = args.indexOf("--rest");
const set = asked === "all" && restAt >= 0 ? "rest" : asked;
if (restAt >= 0) args.splice(restAt, 1);
/** Chosen tests say nothing about the rest of their set: their results are not recorded. */
const isWhole = args.length === 0;
const report = join(root, ".build", "results.json");
const record = recordFile(root, set);

const filesEndingIn = (folder: string, end: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(end))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`);

const longSets: readonly string[] = ["crash", "fuzz"];

function longSet(set: string): LongSet {
  const end = longSets.includes(set) ? `.${set}.ts` : ".test.ts";
  const files = [...filesEndingIn("src", end), ...filesEndingIn("tests", end)];
  return { set, files, minutes: readMinutes(root, set) };
}

if (args.includes("--list")) {
  const others = longSets.includes(set) ? longSets.filter((other) => other !== set) : [];
  for (const line of listLines(longSet(set), others.map(longSet))) console.log(line);
  process.exit(0);
}

mkdirSync(join(root, ".build"), { recursive: true });
if (isWhole) rmSync(record, { force: true });
const before = readState(root);
const vitest = join(root, "node_modules/vitest/vitest.mjs");
/** The long sets run in another order each time; the printed seed repeats one: `-- --sequence.seed=N`. */
const isShuffled = set === "crash" || set === "fuzz" || set === "shuffled";
const seed = args.some((word) => word.startsWith("--sequence.seed"))
  ? []
  : [`--sequence.seed=${Date.now() % 1_000_000}`];
const order = isShuffled ? ["--sequence.shuffle.tests", "--sequence.shuffle.files", ...seed] : [];
if (isShuffled) console.log(`order: ${[...order, ...args].join(" ")}`);

/** The test files that this run leaves out. Chosen files and tests are never left out. */
function leftOut(): string[] {
  const files = [...filesEndingIn("src", ".test.ts"), ...filesEndingIn("tests", ".test.ts")];
  if (set === "rest") {
    const ran = new Set(readRecords(root, before, ["default"]).tests.map(({ file }) => file));
    console.log(`${ran.size} test files ran in npm test on this state and are not run again.`);
    return files.filter((file) => ran.has(file));
  }
  if (set !== "default" || !isWhole) return [];
  const changed = changedFiles(root);
  const wings = wingsLeftOut(changed?.files);
  if (wings.length === 0) return [];
  const names = wings.map(({ name }) => name).join(", ");
  console.log(`left out: ${names}, unchanged since ${changed?.since.slice(0, 10)} (npm run test:all)`);
  return filesLeftOut(files, wings);
}

/** Read by vitest.config.ts. */
const leftOutFile = join(root, ".build", "left-out.json");
writeFileSync(leftOutFile, JSON.stringify(leftOut()));
/** Undefined where the test runner ended without a report. */
function run(words: readonly string[]): { status: number; results: Results } | undefined {
  for (const written of [report, looseErrorsFile]) rmSync(written, { force: true });
  const named = ["default", "json", join(import.meta.dirname, "loose-errors.ts")];
  const reporters = [...named.map((name) => `--reporter=${name}`), `--outputFile.json=${report}`];
  const ran = spawnSync(process.execPath, [vitest, "run", ...reporters, ...words], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, THEHOOD_TEST_SET: set, THEHOOD_TEST_LEFT_OUT: leftOutFile },
  });
  if (ran.error) throw ran.error;
  if (!existsSync(report) || !existsSync(looseErrorsFile)) return undefined;
  return { status: ran.status ?? 1, results: JSON.parse(readFileSync(report, "utf8")) as Results };
}

const first = run([...order, ...args]);
if (!first) process.exit(1);
let { status, results } = first;
const looseErrors = Number(readFileSync(looseErrorsFile, "utf8"));
const failed = isWhole && ["default", "all", "rest"].includes(set) ? filesToTryAgain(results, looseErrors) : [];
if (failed.length > 0) {
  console.log(`Once more, each alone: ${failed.map((file) => relative(root, file)).join(", ")}`);
  const second = run(["--maxWorkers=1", ...failed]);
  if (second) {
    status = second.status;
    results = withSecondTry(first.results, second.results);
    for (const test of unsteadyTests(first.results, second.results))
      console.log(`unsteady: ${test} (failed beside the others and passed alone: a fault to find)`);
  }
}
// Whole files: a test that is chosen by its name says nothing about what its file costs.
if (args.every((word) => existsSync(join(root, word)))) keepMinutes(root, set, results);
const after = readState(root);
if (!isWhole) console.log("Only chosen tests ran: their results are not recorded.");
else if (before && before.tree === after?.tree) writeFileSync(record, JSON.stringify({ ...results, of: before }));
else console.log("The results are not recorded: they belong to no one state of a git checkout.");

const skipped = results.testResults
  .flatMap((file) => file.assertionResults)
  .filter(({ status }) => status !== "passed" && status !== "failed");
for (const test of skipped) console.log(`skipped: ${test.fullName}`);
console.log(`${results.numPassedTests} passed, ${results.numFailedTests} failed, ${skipped.length} skipped`);
// With --rest the files of npm test passed before it, or they failed and are not green.
const passedBefore =
  set === "rest" && readRecords(root, before, ["default"]).tests.every(({ outcome }) => outcome !== "failed");
if (isWhole && status === 0 && before && (set === "all" || passedBefore)) keepGreen(root, before.commit);
process.exit(status);
