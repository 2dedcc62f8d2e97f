// kill -9 at every write of an integration: the checkout is wholly old or wholly new, and the user's edits are there.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { recoverApplies } from "../../src/workspace/checkout/apply/index.ts";
import { requireRepository, stateHome } from "../../src/platform/git/index.ts";
import { makeRepository } from "../support/repository.ts";
import {
  hasStrace,
  packProgram,
  runProgram,
  walkBoundaries,
  type Fault,
  type Outcome,
  type Program,
} from "./harness/index.ts";
import { removeFolder } from "../support/remove-folder.ts";

/** What an integration writes with; one that a kernel or a libc has not is passed over. */
const calls = ["write", "fsync", "rename", "link", "unlink", "rmdir", "mkdir", "ftruncate"] as const;

const before = {
  "a.txt": "a\n",
  "b/c.txt": "c\n",
  "b/d.txt": "d\n",
  "run.sh": "#!/bin/sh\n",
  "user.txt": "user\n",
  "gone/x.txt": "x\n",
};
const patch = [
  "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+A\n",
  "diff --git a/b/c.txt b/b/c.txt\n--- a/b/c.txt\n+++ b/b/c.txt\n@@ -1 +1 @@\n-c\n+C\n",
  "diff --git a/gone/x.txt b/gone/x.txt\ndeleted file mode 100644\n--- a/gone/x.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
  "diff --git a/n/e/w.txt b/n/e/w.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n/e/w.txt\n@@ -0,0 +1 @@\n+w\n",
  "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n",
].join("");

function survey(base: string, folder = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(base, folder))) {
    const path = folder ? `${folder}/${name}` : name;
    if (path === ".thehood" || path === ".git") continue;
    const stats = lstatSync(join(base, path));
    if (stats.isSymbolicLink()) found[path] = `->${readlinkSync(join(base, path))}`;
    else if (stats.isDirectory()) Object.assign(found, survey(base, path));
    else found[path] = (stats.mode & 0o100 ? "x:" : "") + readFileSync(join(base, path), "utf8");
  }
  return found;
}

const edits = { "user.txt": "my own edit\n", "mine/new.txt": "untracked\n" };
const old = { ...before, ...edits };
const { "gone/x.txt": _, ...kept } = before;
const fresh = {
  ...kept,
  ...edits,
  "a.txt": "A\n",
  "b/c.txt": "C\n",
  "n/e/w.txt": "w\n",
  "run.sh": "x:#!/bin/sh\n",
};
const which = (dir: string) => {
  const now = JSON.stringify(Object.entries(survey(dir)).toSorted());
  const is = (tree: object) => now === JSON.stringify(Object.entries(tree).toSorted());
  return is(old) ? "old" : is(fresh) ? "new" : now;
};

let template = "";
let program = "";
let patchFile = "";

async function pack(): Promise<void> {
  const made = makeRepository(before);
  made.write("user.txt", edits["user.txt"]);
  made.write("mine/new.txt", edits["mine/new.txt"]);
  template = made.dir;
  program = await packProgram(join(import.meta.dirname, "apply-program.ts"));
  const mover = await packProgram(join(import.meta.dirname, "../../src/workspace/checkout/apply/mover.ts"));
  copyFileSync(mover, join(dirname(program), "apply-mover.js"));
  patchFile = join(dirname(program), "change.patch");
  writeFileSync(patchFile, patch);
}

function start(): { deps: string; program: Program } {
  const dir = tempFolder("thehood-apply-");
  cpSync(template, dir, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return { deps: dir, program: { argv: [process.execPath, program, dir, patchFile] } };
}

/** The mover may still be at work for a moment after the command that started it was killed. */
async function settled(dir: string): Promise<string> {
  for (let tries = 0; tries < 400; tries++) {
    const state = which(dir);
    if (state === "old" || state === "new") return state;
    await sleep(10);
  }
  return which(dir);
}

function journals(dir: string): string[] {
  const folder = join(stateHome(requireRepository(dir)), "apply");
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function judge(dir: string, outcome: Outcome, fault: Fault, told: { old: number; new: number }): Promise<void> {
  const where = `kill at ${fault.call} ${fault.when}\n${outcome.stderr}`;
  expect(outcome.stdout === "applied\n" ? which(dir) : "not told", where).toMatch(/^(new|not told)$/);
  // Without any help of ours: one dead process alone leaves no mix.
  expect(["old", "new"], where).toContain(await settled(dir));
  // "Old" may be the moment before the mover's first move: the recovery waits for a mover that lives.
  await recoverApplies(requireRepository(dir), 120_000);
  const state = which(dir);
  expect(["old", "new"], where).toContain(state);
  expect(journals(dir), where).toEqual([]);
  told[state as "old" | "new"]++;
  removeFolder(dir);
}

export interface ApplySuite {
  /** How many boundaries to try; all of them when left out. */
  readonly sample?: number;
  /** How many trials there must at least be. */
  readonly least: number;
  /** kill -9 at this many random moments. */
  readonly random: number;
}

export function applySuite({ sample, least, random }: ApplySuite): void {
  beforeAll(pack);
  afterAll(() => removeFolder(template));

  describe("[R-31] kill -9 during an integration", () => {
    it("the program does its work when it is not killed", () => {
      const { deps, program: run } = start();
      const [command, ...args] = run.argv;
      const done = spawnSync(command, args, { encoding: "utf8" });
      expect(done.stdout + done.stderr).toBe("applied\n");
      expect(which(deps)).toBe("new");
      rmSync(deps, { recursive: true });
    });

    for (const everyone of [false, true])
      it.skipIf(!hasStrace)(
        `${everyone ? "of every process of it" : "of the command"} leaves the checkout wholly old or wholly new and the user's edits alone (needs strace)`,
        async () => {
          const told = { old: 0, new: 0 };
          const check = (dir: string, outcome: Outcome, fault: Fault) => judge(dir, outcome, fault, told);
          const result = await walkBoundaries({
            calls,
            effect: "signal=SIGKILL",
            start,
            check,
            sample,
            everyone,
          });
          expect(result.trials).toBeGreaterThan(least);
          expect(told.old).toBeGreaterThan(0);
          expect(told.new).toBeGreaterThan(0);
        },
      );

    it(`at ${random} random moments leaves the checkout wholly old or wholly new`, async () => {
      const told = { old: 0, new: 0 };
      const begun = performance.now();
      const first = start();
      await runProgram(first.program);
      const usual = performance.now() - begun;
      removeFolder(first.deps);
      for (let trial = 0; trial < random; trial++) {
        const { deps, program: run } = start();
        const after = Math.round((trial / random) * usual * 1.1);
        const outcome = await runProgram(run, 120_000, after);
        await judge(deps, outcome, { call: `${after} ms`, when: "", effect: "signal=SIGKILL" }, told);
      }
      expect(told.old + told.new).toBe(random);
    });
  });
}
