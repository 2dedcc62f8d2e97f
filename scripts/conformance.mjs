// npm run conformance: every clause of docs/contracts with the tests that name it, and their last result.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { root } from "./lib/run.mjs";

const clausePattern = /^- \*\*([A-Z]-\d+)\*\* (\(planned\) )?(.*)$/gm;
const titlePattern = /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(["'`])((?:\\.|(?!\1)[\s\S])*?)\1/g;

const clauses = ["runtime", "security", "transport", "bundle", "agent"].flatMap((name) => {
  const text = readFileSync(join(root, "docs/contracts", `${name}.md`), "utf8");
  return [...text.matchAll(clausePattern)].map(([, id, planned, words]) => ({
    id,
    planned: Boolean(planned),
    words,
  }));
});

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["fixtures", "node_modules"].includes(entry.name) ? [] : testFiles(path);
    return /\.(test|crash|fuzz|agents)\.ts$/.test(entry.name) ? [path] : [];
  });
}

/** Titles found in the sources, so that a test counts as named even before it has run. */
const named = ["src", "tests"]
  .flatMap((folder) => testFiles(join(root, folder)))
  .flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(titlePattern)].flatMap(([, , title]) =>
      [...title.matchAll(/\[((?:[A-Z]-\d+(?:,\s*)?)+)\]/g)].flatMap(([, ids]) =>
        ids.split(/,\s*/).map((id) => ({ id, title, file: relative(root, file) })),
      ),
    ),
  );

/** The last results, by file and title, where `npm test` left them. */
const results = new Map();
for (const set of ["default", "crash", "fuzz", "agents"]) {
  const path = join(root, ".build", `results-${set}.json`);
  if (!existsSync(path)) continue;
  for (const file of JSON.parse(readFileSync(path, "utf8")).testResults)
    for (const test of file.assertionResults)
      for (const title of [test.title, ...test.ancestorTitles]) {
        const key = `${relative(root, file.name)}\n${title}`;
        if (results.get(key) !== "failed") results.set(key, test.status);
      }
}
const status = ({ file, title }) => results.get(`${file}\n${title}`) ?? "not run";

const json = process.argv.includes("--json");
const rows = clauses.map((clause) => {
  const tests = named
    .filter((test) => test.id === clause.id)
    .map((test) => ({ ...test, status: status(test) }));
  const failed = tests.some((test) => test.status === "failed");
  const state = failed ? "failing" : tests.length > 0 ? "proven" : clause.planned ? "planned" : "unproven";
  return { ...clause, state, tests };
});
const unknown = [...new Set(named.map((test) => test.id))].filter(
  (id) => !clauses.some((clause) => clause.id === id),
);

if (json) process.stdout.write(`${JSON.stringify({ rows, unknown }, null, 2)}\n`);
else {
  for (const row of rows) {
    console.log(`${row.state.padEnd(9)} ${row.id.padEnd(5)} ${row.words}`);
    for (const test of row.tests) console.log(`          · ${test.title}  (${test.file}; ${test.status})`);
  }
  const count = (state) => rows.filter((row) => row.state === state).length;
  console.log(
    `\n${rows.length} clauses: ${count("proven")} proven, ${count("unproven")} unproven, ${count("failing")} failing, ${count("planned")} planned`,
  );
  if (unknown.length > 0) console.log(`Ids in tests that no contract names: ${unknown.join(", ")}`);
}
process.exit(
  rows.some((row) => row.state === "failing" || row.state === "unproven") || unknown.length > 0 ? 1 : 0,
);
