// A benchmark ends with an error when one of its limits does not hold, so that `npm run bench` does.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";

const limit = resolve(import.meta.dirname, "../../bench/lib/limit.ts");

it.each([
  { holds: true, status: 0, words: "  (limit 2 ×: ok)" },
  { holds: false, status: 1, words: "  (limit 2 ×: OVER)" },
])("a benchmark with the limit held: $holds ends with $status", ({ holds, status, words }) => {
  const source = `import { judged } from ${JSON.stringify(limit)}; process.stdout.write(judged("2 ×", ${holds}))`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
  expect({ status: ran.status, words: ran.stdout }).toEqual({ status, words });
});
