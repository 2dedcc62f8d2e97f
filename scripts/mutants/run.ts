// Applies each mutant of the list in a scratch copy of the tree and runs its tests there. Killed: a test fails. Survived:
// all pass. Stale: the text to be replaced is not there exactly once, so the list must be mended. Ends with 1 unless all are killed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { mutants, type Mutant } from "../../tests/mutants/index.ts";
import { random } from "../../tests/support/commands/mutate.ts";
import { drawSome } from "./draw.ts";
import { mutate } from "./mutate.ts";
import { canConfine, fileOf, openScratch, type Scratch } from "./scratch.ts";

type Outcome = "killed" | "survived" | "stale";

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string" },
    json: { type: "boolean" },
    trust: { type: "boolean" },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);

const ids = values.only?.split(",");
const unknown = ids?.filter((id) => mutants.every((mutant) => mutant.id !== id)) ?? [];
if (unknown.length > 0) {
  say(`No mutant has the id ${unknown.join(", ")}.`);
  process.exit(2);
}
if (!canConfine()) {
  say("Mutants run only under bubblewrap: broken code may delete whatever it can reach. Install bubblewrap first.");
  process.exit(2);
}
const listed = mutants.filter(({ id }) => ids?.includes(id) ?? true);
const chosen = values.sample === undefined ? listed : sampleOf(listed, Number(values.sample));

/** So many of the list, in its order. */
function sampleOf(all: readonly Mutant[], count: number): readonly Mutant[] {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
    say("--sample and --seed take whole numbers, for example: --sample 60 --seed 7");
    process.exit(2);
  }
  say(`${Math.min(count, all.length)} of ${all.length} mutants: --sample ${count} --seed ${seed}`);
  const drawn = drawSome(all.length, count, random(seed));
  return all.filter((_, index) => drawn.has(index));
}

function judge(scratch: Scratch, { file, search, replace, tests }: Mutant): Outcome {
  const path = join(scratch.dir, file);
  if (!existsSync(path) || tests.some((test) => !existsSync(join(scratch.dir, fileOf(test))))) return "stale";
  const text = readFileSync(path, "utf8");
  const broken = mutate(text, search, replace);
  if (broken === null) return "stale";
  writeFileSync(path, broken);
  try {
    return scratch.passes(tests) ? "survived" : "killed";
  } finally {
    writeFileSync(path, text);
  }
}

const scratch = openScratch(root);
process.once("SIGINT", () => {
  scratch.dispose();
  process.exit(130);
});
try {
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
  if (!values.trust) {
    say(`The ${all.length} named tests on unbroken code …`);
    for (const test of all)
      if (existsSync(join(scratch.dir, fileOf(test))) && !scratch.passes([test])) {
        say(`${test} fails on unbroken code: nothing it says about mutants counts.`);
        process.exitCode = 2;
      }
  }
  const rows = process.exitCode
    ? []
    : chosen.map((mutant, index) => {
        const started = Date.now();
        const outcome = judge(scratch, mutant);
        const seconds = Math.round((Date.now() - started) / 1_000);
        say(
          `${index + 1}/${chosen.length} ${outcome.padEnd(8)} ${mutant.id.padEnd(5)} ${mutant.promise} (${seconds} s)`,
        );
        return {
          id: mutant.id,
          promise: mutant.promise,
          file: mutant.file,
          outcome,
          tests: mutant.tests,
          seconds,
        };
      });
  const count = (wanted: Outcome) => rows.filter(({ outcome }) => outcome === wanted).length;
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else console.log(`${count("killed")} killed, ${count("survived")} survived, ${count("stale")} stale`);
  if (rows.some(({ outcome }) => outcome !== "killed")) process.exitCode = 1;
} finally {
  scratch.dispose();
}
