// Prints every clause with its state, and ends with 1 while one that is not planned is unproven or failing.
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readRecords } from "../test/record.ts";
import { readState } from "../test/state.ts";
import { judgeClauses, readClauses, withDouble, type NamedTest, type Row } from "./judge.ts";

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({ options: { json: { type: "boolean" }, summary: { type: "boolean" } } });
const titlePattern = /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(["'`])((?:\\.|(?!\1)[\s\S])*?)\1/g;

function testFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:test|crash|fuzz|agents|projects)\.ts$/.test(path) && !/(?:^|\/)fixtures\//.test(path))
    .map((path) => join(folder, path));
}

const sources = [...testFiles(join(root, "src")), ...testFiles(join(root, "tests"))].map((path) => ({
  file: relative(root, path),
  text: readFileSync(path, "utf8"),
}));
const named: NamedTest[] = sources.flatMap(({ file, text }) =>
  [...text.matchAll(titlePattern)].map(([, , title = ""]) => ({ file, title })),
);
const support = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => join("tests", path));
const doubles = withDouble(
  new Map([
    ...support.map((file): [string, string] => [file, readFileSync(join(root, file), "utf8")]),
    ...sources.map(({ file, text }): [string, string] => [file, text]),
  ]),
);
const contracts = join(root, "docs", "contracts");
const clauses = readdirSync(contracts)
  .filter((name) => name !== "README.md")
  .flatMap((name) => readClauses(readFileSync(join(contracts, name), "utf8")));
const state = readState(root);
const { tests, stale, broken } = readRecords(root, state);
const { rows, unknown } = judgeClauses(clauses, named, tests, doubles, broken);
const isOpen = (row: Row) => row.state === "unproven" || row.state === "failing";

const wordsOf: Readonly<Record<Row["state"], string>> = {
  proven: "proven",
  double: "proven with a double",
  unproven: "unproven",
  failing: "failing",
  planned: "planned",
};

function print(row: Row): void {
  console.log(`${wordsOf[row.state].padEnd(9)} ${row.id.padEnd(5)} ${row.words}`);
  if (row.reason) console.log(`          ${row.reason}`);
  for (const { title, file, outcome } of row.tests) console.log(`          · ${title}  (${file}; ${outcome})`);
}

function printSummary(): void {
  const count = (wanted: Row["state"]) => rows.filter((row) => row.state === wanted).length;
  const states = (["proven", "double", "unproven", "failing", "planned"] as const).map(
    (name) => `${count(name)} ${wordsOf[name]}`,
  );
  console.log(`\n${rows.length} clauses: ${states.join(", ")}`);
  if (stale.length > 0) console.log(`Recorded of other files and not counted: ${stale.join(", ")}`);
  if (unknown.length > 0) console.log(`Ids in tests that no contract names: ${unknown.join(", ")}`);
}

if (values.json) console.log(JSON.stringify({ state, rows, unknown, stale }, null, 2));
else {
  for (const row of rows) if (!values.summary || isOpen(row)) print(row);
  printSummary();
}
process.exitCode = rows.some(isOpen) || unknown.length > 0 ? 1 : 0;
