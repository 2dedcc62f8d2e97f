// A benchmark ends with an error when one of its limits does not hold, and `npm run bench` when one of its parts does.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";

const project = resolve(import.meta.dirname, "../..");
const limit = join(project, "bench/lib/limit.ts");

it.each([
  { holds: true, status: 0, words: "  (limit 2 ×: ok)" },
  { holds: false, status: 1, words: "  (limit 2 ×: OVER)" },
])("a benchmark with the limit held: $holds ends with $status", ({ holds, status, words }) => {
  const source = `import { judged } from ${JSON.stringify(limit)}; process.stdout.write(judged("2 ×", ${holds}))`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
  expect({ status: ran.status, words: ran.stdout }).toEqual({ status, words });
});

/** The script in a project with these benchmarks and no others, which is built. */
function bench(parts: Readonly<Record<string, string>>, ...named: string[]) {
  const root = tempFolder("bench-");
  for (const path of ["scripts/bench.mjs", "scripts/lib", "bin", "package.json", "package-lock.json"])
    cpSync(join(project, path), join(root, path), { recursive: true });
  for (const folder of ["bench", "src", "scripts/build", "dist", "programs"])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
  for (const path of ["src/none.ts", "scripts/build.mjs", "dist/.built", "programs/zip"])
    writeFileSync(join(root, path), "");
  chmodSync(join(root, "programs/zip"), 0o755);
  for (const [name, source] of Object.entries(parts)) writeFileSync(join(root, "bench", `${name}.ts`), source);
  const ran = spawnSync(process.execPath, ["scripts/bench.mjs", ...named], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(root, "programs")}${delimiter}${process.env["PATH"] ?? ""}` },
  });
  return { status: ran.status, out: ran.stdout, err: ran.stderr };
}

describe("npm run bench", () => {
  const good = `console.log("measured")`;

  it.each([
    { part: "throws", source: `import "./removed.cjs"` },
    { part: "is over its limit", source: "process.exitCode = 1" },
    { part: "is killed", source: `process.kill(process.pid, "SIGKILL")` },
  ])("fails when one part $part, and measures the others all the same", ({ source }) => {
    const { status, out } = bench({ a: good, b: source, c: good });
    expect(status).toBe(1);
    expect(out.match(/^== \w|^measured$/gm)).toEqual(["== a", "measured", "== b", "== c", "measured"]);
  });

  it("passes when all parts do, takes one by its name, and knows no other", () => {
    const parts = { a: good, b: "process.exitCode = 1" };
    expect(bench({ a: good }).status).toBe(0);
    expect(bench(parts, "a").status).toBe(0);
    expect(bench(parts, "z")).toMatchObject({ status: 2, err: "bench: there is no z. There are: a, b\n" });
  });
});
