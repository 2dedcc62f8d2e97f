// The cost that a run adds to a worker's call: the directive, the worktree, the watch on the git folder, reading the answer and
// capturing the work. Processor time of our own thread between "is asked" and "captured"; git's own is not counted.
import { execFileSync } from "node:child_process";
import { bin, env, makeRepository } from "./lib/desk.ts";
import { judged } from "./lib/limit.ts";
import { median, usageOf } from "./lib/measure.ts";

const limit = 150;
const names = Array.from({ length: 200 }, (_, index) => `file-${index}.txt`);
const dir = makeRepository(Object.fromEntries(names.map((name) => [name, `${name}\n`])));

/** Two passes of work: the first in a new worktree, the second in the same one. */
const append = (text: string) => ({ edits: [{ op: "append", path: "file-1.txt", text }] });
const script = {
  roles: {
    implementer: [append("one more\n"), append("and another\n")],
    verifier: [
      {
        payload: {
          verdict: "revise",
          summary: "One line is missing.",
          failedCriteria: ["Two lines are added."],
        },
      },
      {},
    ],
  },
};
const loop = ["run", "add a line", "--approvals", "autopilot", "--no-checks"];
const argv: [string, ...string[]] = [process.execPath, bin, ...loop, "--stub-script", JSON.stringify(script)];

interface Call {
  readonly first: number;
  readonly again: number | undefined;
}

function once(): Call {
  const marks = usageOf({ name: "run", argv, cwd: dir, env })?.marks ?? [];
  execFileSync("git", ["checkout", "-q", "--", "."], { cwd: dir });
  const asked = marks.flatMap(({ line, ownMs }) => (/Implementer is asked/.test(line) ? [ownMs] : []));
  const captured = marks.flatMap(({ line, ownMs }) => (/captured a change/.test(line) ? [ownMs] : []));
  const spans = asked.map((start, index) => (captured[index] ?? Number.NaN) - start);
  if (spans[0] === undefined || Number.isNaN(spans[0])) throw new Error("the run did not reach a captured change");
  return { first: spans[0], again: spans[1] };
}

const calls = Array.from({ length: 7 }, once);
const rows: [string, number[]][] = [
  ["the first call of a run", calls.map(({ first }) => first)],
  ["a later call", calls.flatMap(({ again }) => (again === undefined ? [] : [again]))],
];
for (const [name, values] of rows) {
  if (values.length === 0) continue;
  const own = median(values);
  console.log(`${name.padEnd(36)} ${own.toFixed(0).padStart(9)} ms${judged(`${limit} ms`, own <= limit)}`);
}
