// The cost of each verdict, warm, beside what a user would run instead to learn less.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommandJudge } from "../src/core/commands/index.ts";
import { judgePatch } from "../src/core/patch/index.ts";
import { extractReply } from "../src/core/patch/reply/index.ts";
import { redact } from "../src/core/secrets/index.ts";
import { judgePath } from "../src/platform/paths/index.ts";
import { judged } from "./lib/limit.ts";
import { tempFolder } from "./lib/temp-folder.ts";

const modules = join(import.meta.dirname, "../node_modules");
const judge = await loadCommandJudge({
  parserWasm: readFileSync(join(modules, "web-tree-sitter/web-tree-sitter.wasm")),
  bashWasm: readFileSync(join(modules, "../vendor/tree-sitter-bash/tree-sitter-bash.wasm")),
});

const hunk = (file: string) =>
  `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1,3 +1,3 @@\n const a = 1;\n-const b = 2;\n+const b = 22;\n const c = 3;\n`;
const patch = Array.from({ length: 20 }, (_, index) => hunk(`src/file-${index}.js`)).join("");
const answer = `Here is the change.\n\n\`\`\`diff\n${patch}\`\`\`\n\nDone.\n`;
const source = readFileSync(import.meta.filename, "utf8");
const folder = tempFolder();
writeFileSync(join(folder, "a.txt"), "one\n");
writeFileSync(join(folder, "p.diff"), patch);

/** Median microseconds of one call, after warming up. */
function cost(work: () => unknown): number {
  for (let warm = 0; warm < 50; warm += 1) work();
  const times = Array.from({ length: 101 }, () => {
    const started = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - started) / 1_000;
  });
  return times.sort((a, b) => a - b)[50] ?? 0;
}

/** Median microseconds of starting a program that answers a part of the question. */
function started(argv: readonly [string, ...string[]], input = ""): number {
  const times = Array.from({ length: 11 }, () => {
    const begun = process.hrtime.bigint();
    spawnSync(argv[0], argv.slice(1), { cwd: folder, input });
    return Number(process.hrtime.bigint() - begun) / 1_000;
  });
  return times.sort((a, b) => a - b)[5] ?? 0;
}

const line = "cd build && env CI=1 npm run lint -- --fix | tee lint.txt";
const rows = [
  ["command", cost(() => judge.classify(line)), "bash -n", started(["bash", "-n"], line)],
  [
    "patch (20 files)",
    cost(() => judgePatch(patch)),
    "git apply --numstat",
    started(["git", "apply", "--numstat", "p.diff"]),
  ],
  ["reply (20 files)", cost(() => extractReply(answer)), "grep -n diff", started(["grep", "-n", "^diff"], answer)],
  [
    `secrets (${source.length} characters)`,
    cost(() => redact(source)),
    "grep -E",
    started(["grep", "-E", "AKIA|ghp_|xox"], source),
  ],
  ["path", cost(() => judgePath(folder, "a.txt", "read")), "realpath", started(["realpath", "a.txt"])],
] as const;
for (const [name, ours, other, theirs] of rows)
  console.log(
    `${name.padEnd(28)} ${ours.toFixed(0).padStart(7)} µs   ${other.padEnd(20)} ${theirs.toFixed(0).padStart(7)} µs   ${(ours / theirs).toFixed(3)} ×${judged("1 ×", ours <= theirs)}`,
  );
