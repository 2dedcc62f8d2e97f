// A repository whose last commits were made by runs, with evidence about each, and both verifiers of it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CommitVerdict, Recorded } from "../../src/core/contract/index.ts";
import { commitRun, userKey, verifyCommits, type UserKey } from "../../src/workspace/evidence/index.ts";
import { requireRepository } from "../../src/platform/git/index.ts";
import { fold, type Run } from "../../src/core/machine/index.ts";
import { sha256 } from "../../src/platform/store/index.ts";
import { commitFiles, gitIn, writeFiles } from "../support/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

export const verifier = resolve(import.meta.dirname, "../../docs/verify.py");
/** Tests that need Python are left out by name where there is none. */
export const hasPython = spawnSync("python3", ["--version"]).status === 0;
const story = readFileSync(resolve(import.meta.dirname, "../histories/0.1.0/implemented.jsonl"), "utf8");

/** A recorded run, told about other trees: what it integrated is the tree `to`, made from the tree `from`. */
export function runAbout(runId: string, from: string, to: string): Run {
  const told = story
    .replaceAll("run_test00000001", runId)
    .replaceAll("3".repeat(40), to)
    .replaceAll(/"([b12])\1{39}"/g, `"${from}"`);
  const run = fold(
    told
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Recorded),
  );
  if (!run) throw new Error("an empty story");
  return run;
}

export interface Committed {
  readonly dir: string;
  readonly key: UserKey;
  readonly keyFile: string;
  git(...args: string[]): string;
  /** Commits the work of a run that made the tree `to` of the tree `from`. */
  commit(runId: string, from: string, to: string): Promise<string>;
  /** A run that leaves the files so, committed with evidence. */
  run(files: Readonly<Record<string, string>>): Promise<string>;
  verify(range: string): Promise<readonly CommitVerdict[]>;
  /** The verdicts of the Python program, and its exit code. */
  python(range: string): { readonly verdicts: readonly string[]; readonly code: number | null };
}

export function makeCommitted(files: Readonly<Record<string, string>>, dir = tempFolder("committed-")): Committed {
  const git = gitIn(dir);
  const key = userKey(tempFolder("key-"));
  const keyFile = join(tempFolder("public-"), "key.pem");
  writeFileSync(keyFile, key.pem);
  commitFiles(dir, files, "base");
  let runs = 0;
  const commit = async (runId: string, from: string, to: string): Promise<string> => {
    const made = await commitRun({
      repository: requireRepository(dir),
      run: runAbout(runId, from, to),
      key,
      author: { name: "Ann", email: "ann@example.com" },
      head: { seq: 1, hash: "h" },
      program: "thehood",
      sha256,
      redact: (text) => text,
    });
    return made.commit;
  };
  return {
    dir,
    key,
    keyFile,
    git,
    commit,
    async run(changed) {
      const from = git("rev-parse", "HEAD^{tree}");
      writeFiles(dir, changed);
      git("add", "-A");
      return commit(`run_made${String(++runs).padStart(6, "0")}`, from, git("write-tree"));
    },
    verify: (range) => verifyCommits(requireRepository(dir), range, [key]),
    python(range) {
      const ran = spawnSync("python3", [verifier, keyFile, range], { cwd: dir, encoding: "utf8" });
      if (ran.stderr !== "") throw new Error(ran.stderr);
      const verdicts = ran.stdout.split("\n").flatMap((line) => line.split(" ").slice(0, 2).join(" ") || []);
      return { verdicts, code: ran.status };
    },
  };
}
