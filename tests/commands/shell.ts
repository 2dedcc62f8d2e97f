// A real bash as the judge of the judge: lines that were not asked about are run in the sandbox, where a program named
// evil leaves a trace. Whoever is not asked about must not have run it.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadJudge } from "../support/commands/load.ts";
import { mutatedLine, random } from "../support/commands/mutate.ts";
import { createCommandRunner } from "../../src/platform/sandbox/index.ts";
import { removeFolder } from "../support/remove-folder.ts";

export interface ShellTrial {
  readonly judged: number;
  readonly ran: number;
  /** Lines by which bash ran the program although nobody would have been asked. */
  readonly escaped: readonly string[];
}

const loop = [
  'cd "$ROOT/work"',
  "n=0",
  "while IFS= read -r -d '' line; do",
  '  rm -rf "$ROOT"/work/* "$ROOT/trace"; cd "$ROOT/work"; echo x > i',
  '  timeout 2 bash -c "$line" </dev/null >/dev/null 2>&1',
  '  if [ -e "$ROOT/trace" ]; then printf \'%s\\0\' "$line" >> "$ROOT/escaped"; fi',
  "  n=$((n+1))",
  'done < "$ROOT/lines"',
  "echo $n",
].join("\n");

/** Lines near real shell, made from a seed. */
export function* mutatedLines(seed: number, count: number): Generator<string> {
  const next = random(seed);
  for (let index = 0; index < count; index += 1) yield mutatedLine(next);
}

export async function tryInShell(lines: Iterable<string>, timeoutMs: number): Promise<ShellTrial> {
  const { classify } = await loadJudge();
  const open = new Set<string>();
  let count = 0;
  for (const line of lines) {
    count += 1;
    if (/ev|il|\\x65/.test(line) && !classify(line).gated) open.add(line);
  }
  const root = mkdtempSync("/tmp/thehood-shell-");
  try {
    for (const folder of ["bin", "work"]) mkdirSync(join(root, folder));
    writeFileSync(join(root, "bin/evil"), `#!/bin/sh\necho hit >> ${root}/trace\n`);
    chmodSync(join(root, "bin/evil"), 0o755);
    writeFileSync(join(root, "lines"), [...open].map((line) => `${line}\0`).join(""));
    writeFileSync(join(root, "loop.sh"), loop);
    const outcome = await createCommandRunner({ sandbox: "required" }).run({
      argv: ["bash", join(root, "loop.sh")],
      cwd: root,
      writable: [root],
      network: false,
      env: { ROOT: root, PATH: `${root}/bin:/usr/bin:/bin` },
      timeoutMs,
      maxOutputBytes: 100_000,
    });
    if (outcome.ended !== "exited") throw new Error(`The shell ended by ${outcome.ended}: ${outcome.error ?? ""}`);
    const escaped = join(root, "escaped");
    return {
      judged: count,
      ran: Number(Buffer.from(outcome.stdout).toString()),
      escaped: existsSync(escaped) ? readFileSync(escaped, "utf8").split("\0").filter(Boolean) : [],
    };
  } finally {
    removeFolder(root);
  }
}
